// Why there is no asynchronous capture of a thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <string>

#include "advice.h"
#include "stacks_room.h"

namespace stackprint {

// As stack9_routes() calls it.
inline constexpr const char *async_job = "asynchronous captures";

class async_reasons {
public:
	explicit async_reasons(advice &a) : advice_(a) {}

	// error: stack9_submit()'s or stack9_collect()'s.  The reasons are
	// good as long as this.
	void	explain(stacks_room &, int error);

private:
	// What a route says that refuses.
	struct refusal {
		int		error;
		std::string	route, reason;	// "": not known
	};

	void	refused(stacks_room &, int error);
	const refusal	&first(int error);

	static int	add_route(void *, const char *job, const char *route,
			    int error, const char *reason) noexcept;

	advice		&advice_;
	std::map<int, refusal> refusals_;
};

} // namespace stackprint
