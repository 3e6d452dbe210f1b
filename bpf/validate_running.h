// A thread seen while it ran: which frames are its own.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "validate.h"

namespace stack9::bpf {

// How it was looked at: where its own frames begin.
enum class sample_origin : std::uint8_t {
	in_interrupt,	// below the entry of the interrupt that looked
	at_pc,		// with the first: the interrupted pc
	at_event,	// below the frames of a tracepoint, or with the first
};

// Frames of further interrupts over user mode are nobody's, but an event's.
// 0, or EAGAIN (STACK9_WHY_USER_MODE, ...), ESRCH, EOPNOTSUPP.
int validate_running(const s9_record &seen, sample_origin origin,
    const stack9_thread &td, stack9_record &rec) noexcept;

// sample(s9_record &), judged.  An interrupt may land where the kernel's
// unwinder cannot begin, in a retpoline or a static call's trampoline (2 % of
// a system-call spinner's on 5.10, 0.1 % on 6.18): then look again, the
// thread has moved on.
template <typename Sample>
int
sample_and_validate(Sample sample, sample_origin origin,
    const stack9_thread &td, stack9_record &rec) noexcept
{
	static constexpr int most = 4;
	for (int tries = 1;; tries++) {
		s9_record seen;
		int error = sample(seen);
		if (error == 0)
			error = validate_running(seen, origin, td, rec);
		if (error != 0 || rec.why != STACK9_WHY_UNWIND ||
		    tries == most)
			return error;
		rec.why = STACK9_WHY_NONE;
		rec.reason = nullptr;
		rec.flags &= ~STACK9_EXACT_FIRST;
	}
}

} // namespace stack9::bpf
