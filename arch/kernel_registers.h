// Finds a thread's registers where Linux keeps them on the CPU that stack9 is
// built for: in struct pt_regs, in what ptrace(2) gives, and in the signal
// frame of a system call that a filter has trapped.  The header of each CPU is
// included here only.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

namespace stack9::arch {

// The kinds of programs that a kernel runs.
enum class program_kind : std::uint8_t {
	native,		// built for the CPU that stack9 is built for
	ia32,		// a 32-bit x86 program on x86-64
	unknown,	// any other: stack9 cannot walk its stack
};

} // namespace stack9::arch

#if defined(__x86_64__)
#include "arch/x86_64/kernel_registers.h"
#elif defined(__aarch64__)
#include "arch/aarch64/kernel_registers.h"
#elif defined(__riscv) && __riscv_xlen == 64
#include "arch/riscv64/kernel_registers.h"
#else
#error "stack9 does not know this CPU"
#endif
