// Finds the frame of the program that called a function of this library.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "unwind/saved_fp.h"
#include "unwind/walk.h"

// The frame that called the function that uses this macro.
#define	STACK9_FRAME() (::stack9::unwind::frame{			\
	reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)),	\
	reinterpret_cast<std::uintptr_t>(__builtin_dwarf_cfa()),	\
	STACK9_CALLERS_FP()})
