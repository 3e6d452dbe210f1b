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
// Returns NULL, or which member is wrong.
inline const char *
read_save_options(const stack9_save_options *from, stack9_save_options &to)
    noexcept
{
	if (const char *const wrong = read_options(from, 24, to))
		return wrong;
	if ((to.flags & ~(STACK9_SAVE_NO_STOP | STACK9_SAVE_SINCE |
	    STACK9_SAVE_LANGUAGES)) != 0)
		return unknown_option_flags;
	if (to.frames > most_frames)
		return "options->frames is more than 1048576";
	if (to.frames == 0)
		to.frames = default_frames;
	return nullptr;
}

inline constexpr char has_states[] =
    "options->states is for stack9_each() only";
inline constexpr char has_since[] =
    "options->since_ns is for stack9_each() only";

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
