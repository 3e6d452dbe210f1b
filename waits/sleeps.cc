// Finds how long a sleep lasts still.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "context.h"

#include <sys/syscall.h>
#include <time.h>

#include "os/clocks.h"

namespace stack9::waits {

void
note_time(blocked &w, context &x, std::uint64_t at, int clock, bool absolute)
{
	timespec t{};
	w.flags |= STACK9_WAIT_TIMED;
	if (!x.words.read(w.pid(), at, t) || t.tv_sec < 0 ||
	    t.tv_sec > 1'000'000'000'000)
		return;
	const std::int64_t end = t.tv_sec * std::int64_t{1'000'000'000} +
	    t.tv_nsec;
	// Only the kernel knows how long it has slept; this may be unknown.
	if (!absolute && w.facts->idle_ns == 0)
		return;
	if (absolute && clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC &&
	    clock != CLOCK_BOOTTIME)
		return;
	const std::int64_t left = end - (absolute ? clock_ns(clock) :
	    static_cast<std::int64_t>(w.facts->idle_ns));
	if (left > 0)
		w.left_ns = static_cast<std::uint64_t>(left);
}

void
find_sleep(blocked &w, context &x)
{
	w.is(STACK9_WAIT_SLEEP);
	if (w.facts->call == SYS_nanosleep)
		note_time(w, x, w.arg(0), CLOCK_MONOTONIC, false);
	else
		note_time(w, x, w.arg(2), static_cast<int>(w.arg(0)),
		    (w.arg(1) & TIMER_ABSTIME) != 0);
}

} // namespace stack9::waits
