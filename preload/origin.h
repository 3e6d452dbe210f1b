// Finds the frame of the program that called a function of this library.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "unwind/walk.h"

// The frame that called the function that uses this macro.  The function's own
// frame needs a frame pointer; __builtin_frame_address() makes the compiler
// keep one.
#define	STACK9_FRAME() (::stack9::unwind::frame{			\
	reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)),	\
	reinterpret_cast<std::uintptr_t>(__builtin_dwarf_cfa()),	\
	*static_cast<std::uintptr_t *>(__builtin_frame_address(0))})
