// Prints the frames of a stack into an sbuf.  The text of a frame and the
// search for its name are data.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include <stack9/sys/sbuf.h>
#include <stack9/sys/stack.h>

namespace stack9 {

struct text_format {
	bool		 numbered;	// "#%d %p at " first
	bool		 bare_pc;	// without a name "%p", not "??+0"
	const char	*between;	// comes between two frames
	const char	*after;		// follows each frame
	const char	*end;		// follows the last frame
};
inline constexpr text_format long_text{true, false, "", "\n", ""};
inline constexpr text_format short_text{false, true, " ", "", "\n"};
inline constexpr text_format compact_text{false, false, "", " ", ""};
inline constexpr text_format record_text{true, false, "", "", ""};

// Each pc is looked up as it is, not as a return address, as FreeBSD does.
struct name_rule {
	bool		nowait;		// neither lock nor heap
	bool		must_know;	// EWOULDBLOCK if nowait finds no name
	std::size_t	cut;		// longest name
};
inline constexpr std::size_t whole = SIZE_MAX;
inline constexpr name_rule locked_names{false, false, 63};
inline constexpr name_rule nowait_names{true, true, 63};
inline constexpr name_rule ddb_names{true, false, whole};

// The longest line of stack_print(): "#17 0x% at %+0x%\n" with its NUL.
inline constexpr std::size_t long_line = 4 + 18 + 4 + 63 + 1 + 18 + 1 + 1;

// Returns how many frames of st may be printed.  A depth out of bounds must not
// lead outside the array.
unsigned int depth_of(const struct stack &st) noexcept;

// 0; EWOULDBLOCK, and the frame is not begun.  The functions are not noexcept,
// because a drain belongs to the caller, who may be cancelled in it or leave it
// by longjmp().
int print_frame(struct sbuf &, unsigned int i, vm_offset_t pc,
    const text_format &, const name_rule &);
int print_frames(struct sbuf &, const struct stack &, const text_format &,
    const name_rule &);

} // namespace stack9
