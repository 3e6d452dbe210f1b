// Finds a thread's registers where Linux keeps them on the CPU that stack9 is
// built for: in struct pt_regs, in what ptrace(2) gives, and in the signal
// frame of a system call that a filter has trapped.  The header of each CPU is
// included here only.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <cstring>

namespace stack9::arch {

// The kinds of programs that a kernel runs.
enum class program_kind : std::uint8_t {
	native,		// built for the CPU that stack9 is built for
	ia32,		// a 32-bit x86 program on x86-64
	unknown,	// any other: stack9 cannot walk its stack
};

// Gives the number that the first of two instructions loads, in the bits from
// shift on, if they are these except the number; -1.
inline std::int64_t
number_loaded(const std::uint8_t (&code)[8], std::uint32_t load, int shift,
    std::uint32_t others, std::uint32_t trap) noexcept
{
	std::uint32_t at[2];
	std::memcpy(at, code, sizeof at);
	return (at[0] & others) == load && at[1] == trap ?
	    (at[0] & ~others) >> shift : -1;
}

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
