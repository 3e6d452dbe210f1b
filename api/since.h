// Finds how long threads were in their states when they were captured.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>

#include <stack9_waits.h>

namespace stack9 {

// States of threads, looked at before they are captured.  A thread that was not
// switched between the two is in the same state still.
class since_table {
public:
	// Looks at the threads of a process, or at all if pid is 0.  Returns 0,
	// or an errno as stack9_states() does.
	int	look(pid_t pid);
	// Sets since_ns of a sample; 0 where it is not known.
	void	set(stack9_sample &) const noexcept;

private:
	static int keep(void *arg, const stack9_state *) noexcept;

	struct seen {
		std::uint64_t	start, switches, when_ns, since_ns;
	};
	std::map<pid_t, seen>	by_tid_;
};

} // namespace stack9
