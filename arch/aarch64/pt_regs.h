// Finds registers in struct pt_regs, as the kernel lays it out for arm64
// (asm/ptrace.h).  ptrace(2) shows the same layout, so it stays as it is.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace stack9::pt_regs {

// The word of each register by its DWARF number: x0 to x30, sp, pc.
constexpr std::array<std::size_t, 33> native{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
    30, 31, 32};
// Registers of 32-bit code are not known here.
constexpr std::array<std::size_t, 0> compat{};

// Whether the thread runs 32-bit code.
template <typename Word>
bool
is_compat(const Word *regs) noexcept
{
	constexpr std::size_t pstate = 33;
	constexpr std::uint64_t is_32_bit = 0x10;	// PSR_MODE32_BIT
	return (regs[pstate] & is_32_bit) != 0;
}

// The native registers that do not have the thread's values: there are none.
template <typename Word>
std::uint64_t
lost(const Word *) noexcept
{
	return 0;
}

} // namespace stack9::pt_regs
