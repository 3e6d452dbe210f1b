// Declares one walk of the calling thread's own stack.  It replays the memo of
// the thread's last capture as far as that holds, goes on by the table of
// rules, and comes back into the memo at the first frame that both have.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "memo.h"
#include "step_special.h"
#include "stacks.h"

namespace stack9::unwind {

// Lists how a walk, or a part of it, can end.
enum class stop : std::uint8_t {
	limit,		// as many frames as were asked for
	met,		// at a frame of the memo
	outermost,
	zero,		// a return address of 0
	strayed,	// the same, by a frame pointer that was written over
	no_info,	// nothing covers the last pc
	stuck,		// a rule cannot say the next step
};

// Returns how a walk ended at a step by this rule, to a return address of 0.
// fp_at: where the frame pointer was before the step.
[[gnu::cold]] stop stop_of_zero(rule, std::uintptr_t cfa,
    const std::uintptr_t *fp_at) noexcept;

struct own_walk {
	stacks		*known;
	memo		*last;		// nullptr: there is none
	const range	*on = nullptr;	// the stack that last remembers
	std::uintptr_t	*pcs;
	std::uint32_t	 max;		// frames that pcs holds
	std::uint32_t	 limit;		// frames, those only counted included
	position	 now;		// at first, the innermost frame
	std::uint16_t	 generation;
	range		*stack = nullptr;
	std::uint32_t	 n = 0;		// frames so far
	std::uint32_t	 kept = 0;	// the memo is replayed up to here
	std::uint32_t	 fresh = 0;	// frames recorded after it
	bool		 writing = false;
	bool		 lost = false;	// the memo cannot be used any more
	bool		 gapped = false;	// the memo has a hole
	bool		 guessed = false;

	stop run() noexcept;

private:
	bool begin() noexcept;
	stop by_memo() noexcept;
	template <bool remembering> stop by_rules() noexcept;
	stop special(rule, position &) noexcept;
	const remembered *end_of(const remembered *put) const noexcept;
	void gap(const remembered *put) noexcept;
	void meet(std::uint32_t at) noexcept;
	void end(stop, bool walked, std::uint32_t passed) noexcept;
};

} // namespace stack9::unwind
