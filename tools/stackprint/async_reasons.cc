// Asks the routes why a thread cannot be submitted: stack9_async_submit()
// names no route.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "async_reasons.h"

#include <cerrno>
#include <cstring>
#include <new>

#include <stack9.h>

#include "synthetic_sample.h"

namespace stackprint {

sample_ptr
async_reasons::explain(const stack9_thread &td, int sides, int error)
{
	const auto none = [&](int why, const char *reason,
	    const char *route = "") {
		return synthetic_sample(td, sides, error, why, reason, route);
	};
	switch (error) {
	case ESRCH:
		return none(STACK9_WHY_GONE, nullptr);
	case EAGAIN:
		return none(STACK9_WHY_MOVED, "it has only just begun");
	case ENOBUFS:
		return none(STACK9_WHY_RESOURCE,
		    "there is no room for one more asynchronous capture");
	case ECANCELED:
		return none(STACK9_WHY_LATE, "its capture was taken back");
	case EPERM:
	case EOPNOTSUPP:
		break;
	default:
		return none(STACK9_WHY_RESOURCE, nullptr);
	}
	const refusal &r = first(error);
	advice_.not_submitted(error);
	return none(error == EPERM ? STACK9_WHY_RIGHTS : STACK9_WHY_MACHINE,
	    r.reason.empty() ? nullptr : r.reason.c_str(), r.route.c_str());
}

int
async_reasons::add_route(void *arg, const char *job, const char *route,
    int error, const char *reason) noexcept
{
	refusal &r = *static_cast<refusal *>(arg);
	if (error != r.error || !r.route.empty() ||
	    std::strcmp(job, async_job) != 0)
		return 0;
	try {
		r.route = route;
		r.reason = reason != nullptr ? reason : "";
		return 0;
	} catch (const std::bad_alloc &) {
		return ENOMEM;
	}
}

// The routes are asked once for each errno, because that probes every route.
const async_reasons::refusal &
async_reasons::first(int error)
{
	const auto [at, fresh] = refusals_.try_emplace(error,
	    refusal{error, {}, {}});
	if (fresh)
		stack9_routes(add_route, &at->second);
	return at->second;
}

} // namespace stackprint
