// A thread seen while it ran: which frames are its own.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "judge.h"

namespace stack9::bpf {

// through_interrupt: the stack begins in the interrupt that looked; what lies
// below that interrupt's entry is the thread's.  Else it begins at the
// interrupted pc.  Frames of further interrupts over user mode are nobody's.
// 0, or EAGAIN (STACK9_WHY_USER_MODE, ...), ESRCH, EOPNOTSUPP.
int judge_running(const s9_record &seen, bool through_interrupt,
    const stack9_thread &td, stack9_record &rec) noexcept;

// look(s9_record &), judged.  An interrupt may land where the kernel's
// unwinder cannot begin, in a retpoline or a static call's trampoline (2 % of
// a system-call spinner's on 5.10, 0.1 % on 6.18): then look again, the
// thread has moved on.
template <typename Look>
int
judge_looks(Look look, bool through_interrupt, const stack9_thread &td,
    stack9_record &rec) noexcept
{
	static constexpr int most = 4;
	for (int looks = 1;; looks++) {
		s9_record seen;
		int error = look(seen);
		if (error == 0)
			error = judge_running(seen, through_interrupt, td, rec);
		if (error != 0 || rec.why != STACK9_WHY_UNWIND ||
		    looks == most)
			return error;
		rec.why = STACK9_WHY_NONE;
		rec.reason = nullptr;
		rec.flags &= ~STACK9_EXACT_FIRST;
	}
}

} // namespace stack9::bpf
