// Puts the registers of a sample of perf's into struct pt_regs, on x86-64
// (asm/perf_regs.h).
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <sys/reg.h>

namespace stack9::arch {

// The registers to ask for: all but those of segments that programs do not use.
inline constexpr std::uint64_t perf_registers = 0xff0fff;

// They come in the order of their bits.
inline void
put_perf_registers(const std::uint64_t *from, std::uint64_t *pt_regs) noexcept
{
	constexpr std::array<int, 20> order{RAX, RBX, RCX, RDX, RSI, RDI, RBP,
	    RSP, RIP, EFLAGS, CS, SS, R8, R9, R10, R11, R12, R13, R14, R15};
	for (std::size_t i = 0; i < order.size(); i++)
		pt_regs[order[i]] = from[i];
	// The sample does not say whether a system call was made.
	pt_regs[ORIG_RAX] = ~std::uint64_t{0};
}

inline std::uint64_t
stack_pointer_in(const std::uint64_t *pt_regs) noexcept
{
	return pt_regs[RSP];
}

} // namespace stack9::arch
