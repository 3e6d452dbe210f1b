// Explains why a thread has no asynchronous capture.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <string>

#include "advice.h"
#include "ours.h"
#include "tools/lib/samples.h"

namespace stackprint {

// The job's name in stack9_routes().
inline constexpr const char *async_job = "asynchronous captures";

class async_reasons {
public:
	explicit async_reasons(advice &a) : advice_(a) {}

	// error: the one from stack9_async_submit() or stack9_async_collect().
	// The reasons in the sample are good as long as this object.
	sample_ptr	explain(const stack9_thread &, int sides, int error);

private:
	// A route that refused, and its reason.
	struct refusal {
		int		error;
		std::string	route, reason;	// "": not known
	};

	const refusal	&first(int error);

	static int	add_route(void *, const char *job, const char *route,
			    int error, const char *reason) noexcept;

	advice		&advice_;
	std::map<int, refusal> refusals_;
};

} // namespace stackprint
