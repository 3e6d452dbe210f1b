// Walks the frames of a language in any bytes that are given as memory: the
// walk ends within its budgets, and no frame is outside of the native stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "../forged.h"

#include "fuzz.h"

inline void
walk_forged(const stack9::languages::runtime &language,
    const std::uint8_t *data, std::size_t size)
{
	constexpr std::uint64_t most_reads = 1 << 22;
	constexpr std::size_t most_frames = 1 << 16, most_text = 1 << 23;
	static forged::outcome came;
	forged::stack s;
	if (!forged::stack_of({data, size}, s))
		return;
	forged::walk(language, s, came);
	if (came.reads > most_reads ||
	    came.written.frames.size() > most_frames ||
	    came.written.text.size() > most_text)
		fail("more than the budgets");
	for (const stack9::written_frame &f : came.written.frames)
		if (f.at > s.pcs.size())
			fail("a frame outside");
}
