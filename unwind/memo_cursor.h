// Where a walk by rules looks for the memo.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "memo.h"

namespace stack9::unwind {

// The first of the memo's frames, from the last one on that the walk stood at,
// that is not further in than the walk is.  Behind the last lies a sentinel.
class memo_cursor {
public:
	explicit memo_cursor(const remembered *from) noexcept : at_(from) {}

	// Whether the memo has the frame that was just reached.
	[[gnu::always_inline]] bool
	meets(std::uintptr_t sp, std::uintptr_t raw) noexcept
	{
		while (at_->sp() < sp)
			at_++;
		return at_->sp() == sp && at_->raw == raw && raw != 0;
	}
	void give_up(const remembered *sentinel) noexcept { at_ = sentinel; }
	// Behind the frame that the memo's next signal interrupted: stacks do
	// not lie in order there.
	void
	cross_signal(const remembered *sentinel) noexcept
	{
		while (at_ != sentinel && (at_++)->raw != 0)
			;
	}
	const remembered *at() const noexcept { return at_; }

private:
	const remembered *at_;
};

} // namespace stack9::unwind
