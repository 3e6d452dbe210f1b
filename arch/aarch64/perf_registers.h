// Puts the registers of a sample of perf's into struct pt_regs, on aarch64
// (asm/perf_regs.h): both have x0 to x30, sp and pc in this order.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstdint>

namespace stack9::arch {

// The registers to ask for.
inline constexpr std::uint64_t perf_registers = (std::uint64_t{1} << 33) - 1;

inline void
put_perf_registers(const std::uint64_t *from, std::uint64_t *pt_regs) noexcept
{
	constexpr int registers = 33;
	std::copy_n(from, registers, pt_regs);
}

inline std::uint64_t
stack_pointer_in(const std::uint64_t *pt_regs) noexcept
{
	constexpr int sp = 31;
	return pt_regs[sp];
}

} // namespace stack9::arch
