// Puts the registers of a sample of perf's into struct pt_regs, on x86-64
// (asm/perf_regs.h).
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace stack9::arch {

// The registers to ask for: all but those of segments that programs do not use.
inline constexpr std::uint64_t perf_registers = 0xff0fff;

// Words of struct pt_regs (asm/ptrace.h).
inline constexpr int word_of_call = 15, word_of_sp = 19;

// They come in the order of their bits: ax, bx, cx, dx, si, di, bp, sp, ip, the
// flags, cs, ss, r8 and so on.
inline void
put_perf_registers(const std::uint64_t *from, std::uint64_t *pt_regs) noexcept
{
	constexpr std::array<int, 20> order{10, 5, 11, 12, 13, 14, 4,
	    word_of_sp, 16, 18, 17, 20, 9, 8, 7, 6, 3, 2, 1, 0};
	for (std::size_t i = 0; i < order.size(); i++)
		pt_regs[order[i]] = from[i];
	// The sample does not say whether a system call was made.
	pt_regs[word_of_call] = ~std::uint64_t{0};
}

inline std::uint64_t
stack_pointer_in(const std::uint64_t *pt_regs) noexcept
{
	return pt_regs[word_of_sp];
}

} // namespace stack9::arch
