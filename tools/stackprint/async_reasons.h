// Explains why a thread has no asynchronous capture.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <string>

#include "advice.h"
#include "stack_buffers.h"

namespace stackprint {

// The job's name in stack9_routes().
inline constexpr const char *async_job = "asynchronous captures";

class async_reasons {
public:
	explicit async_reasons(advice &a) : advice_(a) {}

	// error: the one from stack9_submit() or stack9_collect().  The reasons
	// are good as long as this object.
	void	explain(stack_buffers &, int error);

private:
	// A route that refused, and its reason.
	struct refusal {
		int		error;
		std::string	route, reason;	// "": not known
	};

	void	refused(stack_buffers &, int error);
	const refusal	&first(int error);

	static int	add_route(void *, const char *job, const char *route,
			    int error, const char *reason) noexcept;

	advice		&advice_;
	std::map<int, refusal> refusals_;
};

} // namespace stackprint
