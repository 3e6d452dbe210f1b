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

} // namespace stack9::bpf
