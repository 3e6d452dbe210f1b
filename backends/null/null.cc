// The backend that supports nothing: the template for a new one.  Copy the
// folder, rename backend_null after it, give each job you can do a route, and
// answer can() and save() or each(); the rest says EOPNOTSUPP already.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core/seam/backend.h"

namespace stack9 {
namespace {

class nothing final : public route {
public:
	constexpr nothing()
	    : route("null", "does nothing", job::kernel, 1000) {}

	verdict
	can() noexcept override
	{
		return {EOPNOTSUPP, "the null route never can"};
	}
};

constinit nothing null_route;
constinit route *const routes[] = {&null_route};

} // namespace

extern const backend backend_null;
constinit const backend backend_null{"null", routes};

} // namespace stack9
