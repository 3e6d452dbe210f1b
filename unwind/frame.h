// Defines the frame where a walk of this thread's own stack begins, and finds
// the one that called a function.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "arch/cpu.h"

namespace stack9::unwind {

// A return address, and the stack and frame pointers once it has returned.
struct frame {
	std::uintptr_t	pc;
	std::uintptr_t	sp;
	std::uintptr_t	fp;
};

} // namespace stack9::unwind

// The frame pointer that the caller had.  It is the caller of the function that
// uses this macro; __builtin_frame_address() makes the compiler keep a frame
// pointer there.
#define	STACK9_CALLERS_FP()						\
	(static_cast<std::uintptr_t *>(					\
	__builtin_frame_address(0))[::stack9::unwind::saved_fp])

// The frame that called the function that uses this macro.
#define	STACK9_FRAME() (::stack9::unwind::frame{			\
	reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)),	\
	reinterpret_cast<std::uintptr_t>(__builtin_dwarf_cfa()),	\
	STACK9_CALLERS_FP()})
