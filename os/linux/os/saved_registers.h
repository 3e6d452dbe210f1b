// Finds registers by their DWARF numbers where this system saves them for a
// signal's handler: in its ucontext_t, and in the frame on the stack.  Each CPU
// has a file here.  It gives
//	register_of(context, number)
//	signal_slot(number)	the place in the frame, from sp
//	signal_trampoline	the instructions that the handler returns to
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#if defined(__x86_64__)
#include "os/saved_registers/x86_64.h"
#elif defined(__aarch64__)
#include "os/saved_registers/aarch64.h"
#elif defined(__riscv) && __riscv_xlen == 64
#include "os/saved_registers/riscv64.h"
#else
#error "stack9 does not know this CPU"
#endif
