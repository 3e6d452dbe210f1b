// Declares a walk of the calling thread's own stack that gives the frames some
// at a time, each with its stack pointer.  Between two parts the program's own
// code may run on the same thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "own_walk.h"
#include "walk.h"

namespace stack9::unwind {

struct stepped_frame {
	std::uintptr_t	pc;
	std::uintptr_t	sp;	// once the inner function has returned
	bool		exact;	// a signal came here: not a return address
};

// Returns true if a return address is that of a signal's handler, so that the
// next frame is the one that the signal interrupted.
bool is_signal_frame(std::uintptr_t pc) noexcept;

// Walks by rules alone.  The memo of the thread is neither used nor changed,
// because the memo is for walks that are made in one piece.  A frame takes some
// five nanoseconds.
class own_steps {
public:
	explicit own_steps(const frame &first) noexcept
	    : pc_(first.pc), sp_(first.sp), fp_(first.fp) {}

	// Stores the next frames.  Fewer than max: the walk has ended.  It is
	// async-signal-safe, as walk_own() is.
	std::uint32_t take(stepped_frame *to, std::uint32_t max) noexcept;

	// Returns how the walk ended; limit: it has not ended.  stuck: the last
	// frame has a caller that no rule finds.
	stop how() const noexcept { return how_; }

private:
	std::uint32_t walk(stacks &, stepped_frame *, std::uint32_t max)
	    noexcept;

	std::uintptr_t	pc_, sp_, fp_;
	bool		exact_ = false;
	bool		crossed_ = false;	// the frame of a signal
	stop		how_ = stop::limit;
};

} // namespace stack9::unwind
