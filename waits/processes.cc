// Adds processes that have a lock, or the other end of what a thread waits for.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "context.h"

namespace stack9::waits {

// A process with one thread is that thread, so nobody else can end the wait.
void
add_processes(blocked &w, context &x, const std::vector<pid_t> &pids, int role,
    const char *why_none)
{
	constexpr std::size_t most = 16;
	bool all = !x.files.is_partial(), more = false;
	for (const pid_t pid : pids) {
		stack9_thread td{};
		int threads = 0;
		if (!x.people.find_living(pid, td, &threads))
			continue;
		more = w.holders.size() == most;
		if (more)
			break;
		w.add(td, role, STACK9_HOLDER_PROCESS);
		all &= threads == 1;
	}
	if (more)
		w.reason = "further processes have it, too";
	else if (x.files.is_partial() && (role == STACK9_ROLE_PEER ||
	    w.holders.empty()))
		w.reason = "the descriptors of some processes cannot be read "
		    "without privilege";
	else if (w.holders.empty())
		w.reason = why_none;
	else if (all && role == STACK9_ROLE_OWNER)
		w.flags |= STACK9_WAIT_ALL_HOLDERS;
}

} // namespace stack9::waits
