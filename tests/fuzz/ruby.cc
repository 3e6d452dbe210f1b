// Walks the frames of Ruby in any bytes that are given as memory: the walk ends
// within its budgets, and no frame is outside of the native stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "../forged.h"

#include "fuzz.h"

namespace stack9::languages {
extern const runtime &runtime_ruby;
}

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
	constexpr std::uint64_t most_reads = 1 << 22;
	constexpr std::size_t most_frames = 1 << 16, most_text = 1 << 23;
	static forged::outcome came;
	forged::stack s;
	if (!forged::stack_of({data, size}, s))
		return 0;
	forged::walk(stack9::languages::runtime_ruby, s, came);
	if (came.reads > most_reads ||
	    came.written.frames.size() > most_frames ||
	    came.written.text.size() > most_text)
		fail("more than the budgets");
	for (const stack9::written_frame &f : came.written.frames)
		if (f.at > s.pcs.size())
			fail("a frame outside");
	return 0;
}
