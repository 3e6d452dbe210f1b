// Takes back the owners of locks that were born after the wait began.  A thread
// that ended with a lock leaves its tid in it, and the tid may be another
// thread's later.  The kernel knows when a thread came onto a CPU for the last
// time.  The thread's wait began after that.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "births.h"

#include <unistd.h>

namespace stack9::waits {
namespace {

// The kernel counts the start of a thread in ticks, rounded down.
std::uint64_t
ns_of_ticks(std::uint64_t ticks)
{
	const long hz = sysconf(_SC_CLK_TCK);
	return ticks * (1'000'000'000 / static_cast<std::uint64_t>(
	    hz > 0 ? hz : 100));
}

// The lock names its owner by a tid.  The owner is younger than the waiter.
bool
is_suspect(const blocked &w)
{
	return !w.words.empty() && w.holders.size() == 1 &&
	    w.holders[0].role == STACK9_ROLE_OWNER &&
	    w.holders[0].thread.start > w.facts->thread.start;
}

} // namespace

void
drop_newborn(std::vector<blocked> &all)
{
	for (blocked &w : all) {
		if (!is_suspect(w))
			continue;
		const std::uint64_t began = w.facts->began_ns;
		if (began == 0 ||
		    ns_of_ticks(w.holders[0].thread.start) <= began)
			continue;
		w.holders.clear();
		w.words.clear();
		w.flags &= ~STACK9_WAIT_ALL_HOLDERS;
		w.reason = "the thread that has its owner's tid began after "
		    "the wait";
	}
}

} // namespace stack9::waits
