// Defines the backend that supports nothing: the template for a new one.  Copy
// the folder, rename backend_null after it, and give each job that the backend
// can do a route.  core/seam/routes.h has a class for each job; a route that
// leaves out a function of its class does not compile.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core/seam/backend.h"
#include "core/seam/refuse.h"

namespace stack9 {
namespace {

class nothing final : public kernel_route {
public:
	constexpr nothing()
	    : kernel_route("null", "does nothing", 1000) {}

	verdict
	can() noexcept override
	{
		return {EOPNOTSUPP, "the null route never can"};
	}

	int
	save(const stack9_thread &, stack_record &rec, lead &)
	    noexcept override
	{
		return refuse(rec, EOPNOTSUPP, STACK9_WHY_MACHINE, nullptr);
	}
};

constinit nothing null_route;
constinit kernel_route *const kernel[] = {&null_route};

} // namespace

extern const backend backend_null;
constinit const backend backend_null{.name = "null", .kernel = kernel};

} // namespace stack9
