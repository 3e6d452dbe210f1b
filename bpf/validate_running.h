// Validates a sample of a running thread: decides which frames are its own.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "validate.h"

namespace stack9::bpf {

// The place where the sample was taken.  It decides where the thread's own
// frames begin.
enum class sample_origin : std::uint8_t {
	in_interrupt,	// they begin below the entry of that interrupt
	at_pc,		// the first frame is the interrupted pc
	at_event,	// they begin below a tracepoint's frames, if any
};

// Frames of further interrupts over user mode belong to no thread; an event in
// them is reported with them all the same.  0, or EAGAIN (STACK9_WHY_USER_MODE,
// ...), ESRCH, EOPNOTSUPP.
int validate_running(const s9_record &seen, sample_origin origin,
    const stack9_thread &td, stack_record &rec) noexcept;

// An interrupt may arrive where the kernel's unwinder cannot begin, in a
// retpoline or a static call's trampoline (2 % of the samples of a thread that
// spins in system calls on 5.10, 0.1 % on 6.18).  The thread has moved on at
// the next sample, so as many are taken.  Four were too few for an emulated
// CPU: it takes interrupts at the beginning of such a jump more often.
inline constexpr int samples_to_unwind = 8;

// Calls sample(s9_record &) and validates the result, again if the kernel's
// unwinder could not begin.
template <typename Sample>
int
sample_and_validate(Sample sample, sample_origin origin,
    const stack9_thread &td, stack_record &rec) noexcept
{
	for (int tries = 1;; tries++) {
		s9_record seen;
		int error = sample(seen);
		if (error == 0)
			error = validate_running(seen, origin, td, rec);
		if (error != 0 || rec.why != STACK9_WHY_UNWIND ||
		    tries == samples_to_unwind)
			return error;
		rec.why = STACK9_WHY_NONE;
		rec.reason = nullptr;
		rec.flags &= ~STACK9_STACK_EXACT;
	}
}

} // namespace stack9::bpf
