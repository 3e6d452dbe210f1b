// Finds the frames of V8's code on a native stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "compiled.h"

namespace stack9::languages::javascript {

// A native frame that is of V8's code.
struct frame {
	std::uint32_t	at;		// index of the native frame
	std::uint64_t	pc, fp;
	bool		is_exact;	// pc is where the thread is
};

// Offsets of words of a frame, from the frame pointer (src/execution/
// frame-constants.h).  Where a function has its context, other frames have
// their type.
inline constexpr std::int64_t type_at = -8, function_at = -16,
    bytecode_at = -32;

// 0, too: it cannot be read.
inline tagged
word_of_frame(unwind::memory &m, std::uint64_t fp, std::int64_t offset) noexcept
{
	tagged w = 0;
	return m.word(fp + static_cast<std::uint64_t>(offset), w) ? w : 0;
}

// Gives the frames, innermost first.  A native stack that ended in V8's code is
// completed.
std::vector<frame> frames_of(const question &, heap &, codes &);

} // namespace stack9::languages::javascript
