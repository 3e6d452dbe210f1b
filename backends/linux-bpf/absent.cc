// Gone, or hidden, or it has only just begun.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "absent.h"

#include <time.h>
#include <unistd.h>

namespace stack9::bpf {
namespace {

// Perhaps after the program had looked for it.  By the clock that /proc has it
// from, in its units; a tenth of a second is long for a look.
bool
may_be_new(const stack9_thread &td) noexcept
{
	const auto hz = static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK));
	timespec now;
	clock_gettime(CLOCK_BOOTTIME, &now);
	const std::uint64_t ticks = static_cast<std::uint64_t>(now.tv_sec) *
	    hz + static_cast<std::uint64_t>(now.tv_nsec) * hz / 1000000000;
	return ticks < td.start + hz / 10;
}

} // namespace

int
judge_absent(const stack9_thread &td, stack9_record &rec) noexcept
{
	stack9_thread now{};
	if (stack9_thread_find(td.tid, &now) != 0) {
		rec.why = STACK9_WHY_GONE;
		return ESRCH;
	}
	if (td.start != 0 && td.start != now.start) {
		rec.why = STACK9_WHY_REUSED;
		return ESRCH;
	}
	if (may_be_new(now)) {
		rec.why = STACK9_WHY_MOVED;
		return EAGAIN;
	}
	rec.reason = "it exists, but this machine hides it from BPF programs";
	return EOPNOTSUPP;
}

} // namespace stack9::bpf
