// Has the bounds and the sentences of places, and the words of the text form of
// a stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <stack9.h>

namespace stack9 {

inline constexpr std::uint32_t most_build_id = 64;	// bytes
inline constexpr std::uint32_t most_text_frames = 65536;
inline constexpr std::size_t most_text_line = 8192;

inline constexpr char is_no_place_space[] =
    "space is none of stack9_space_open_build_ids()";
inline constexpr char no_more_places[] =
    "the space has places in 4096 other files: open another one";

inline constexpr std::string_view text_head = "stack9 1";

// The word for a reason, and the errno that a side has with it if it has no
// frames; 0: such a side has frames.
struct text_word {
	std::int32_t		why;
	std::string_view	word;
	int			error;
};
// NULL: this release has no word.
const text_word *word_of(std::int32_t why) noexcept;
const text_word *why_of(std::string_view word) noexcept;

} // namespace stack9
