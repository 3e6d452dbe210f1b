// Reads the options of a capture.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/save.h"

#include "options.h"

namespace stack9 {

inline constexpr std::uint32_t default_frames = 1024;
inline constexpr std::uint32_t most_frames = 1 << 20;

// The options as they count.  False: EINVAL.
inline bool
read_save_options(const stack9_save_options *from, stack9_save_options &to)
    noexcept
{
	if (!read_options(from, 24, to) ||
	    (to.flags & ~STACK9_SAVE_NO_STOP) != 0 || to.frames > most_frames)
		return false;
	if (to.frames == 0)
		to.frames = default_frames;
	return true;
}

inline stopping
stopping_of(const stack9_save_options &o) noexcept
{
	return (o.flags & STACK9_SAVE_NO_STOP) != 0 ? stopping::never :
	    stopping::allowed;
}

inline bool
is_side(int side) noexcept
{
	return side >= STACK9_KERNEL && side <= STACK9_BOTH;
}

} // namespace stack9
