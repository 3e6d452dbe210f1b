// Reads the frame pointer that a function's caller had.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "arch/cpu.h"

// It is the caller of the function that uses this macro;
// __builtin_frame_address() makes the compiler keep a frame pointer there.
#define	STACK9_CALLERS_FP()						\
	(static_cast<std::uintptr_t *>(					\
	__builtin_frame_address(0))[::stack9::unwind::saved_fp])
