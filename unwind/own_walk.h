// One walk of the calling thread's own stack: along the memo of its last
// capture as far as that holds, by the table of rules where it does not, and
// back into the memo where the two meet again.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "memo.h"
#include "step_special.h"
#include "stacks.h"

namespace stack9::unwind {

// How a walk, or a part of it, ended.
enum class stop : std::uint8_t {
	limit,		// as many frames as were asked for
	met,		// at a frame of the memo
	outermost,
	zero,		// a return address of 0
	no_info,	// nothing covers the last pc
	stuck,		// rules are too little
};

struct own_walk {
	stacks		*known;
	memo		*last;		// nullptr: without
	std::uintptr_t	*pcs;
	std::uint32_t	 max;		// frames in pcs
	std::uint32_t	 limit;		// with those that are only counted
	position	 now;		// the innermost frame, before
	std::uint16_t	 generation;
	range		*stack = nullptr;
	std::uint32_t	 n = 0;		// frames so far
	std::uint32_t	 kept = 0;	// of the memo, passed up to here
	std::uint32_t	 fresh = 0;	// frames put behind it
	bool		 writing = false;
	bool		 lost = false;	// the memo is of no more use
	bool		 gapped = false;	// and what is behind it, too
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
