// Searches the memo for the frame that a walk by rules has reached.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "memo.h"

namespace stack9::unwind {

// Points to the memo's first frame that is not further in than the walk is; it
// only moves outwards.  A sentinel lies after the last frame.
class memo_cursor {
public:
	explicit memo_cursor(const remembered *from) noexcept : at_(from) {}

	// Returns true if the memo has the frame that was just reached.
	[[gnu::always_inline]] bool
	meets(std::uintptr_t sp, std::uintptr_t raw) noexcept
	{
		while (at_->sp() < sp)
			at_++;
		return at_->sp() == sp && at_->raw == raw && raw != 0 &&
		    !at_->by_signal();
	}
	void give_up(const remembered *sentinel) noexcept { at_ = sentinel; }
	// Moves past the frame that the memo's next signal interrupted.  The
	// addresses of stacks are in no order there.
	void
	cross_signal(const remembered *sentinel) noexcept
	{
		while (at_ != sentinel && !(at_++)->by_signal())
			;
	}
	const remembered *at() const noexcept { return at_; }

private:
	const remembered *at_;
};

} // namespace stack9::unwind
