// Finds registers in struct pt_regs, as the kernel lays it out for x86-64
// (asm/ptrace.h).  ptrace(2) shows the same layout, so it stays as it is.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace stack9::pt_regs {

enum word : std::size_t { r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx,
	dx, si, di, orig_ax, ip, cs, flags, sp };

// The word of each register by its DWARF number: the psABI of x86-64, table
// 3.36, and of the i386.
constexpr std::array<std::size_t, 17> native{ax, dx, cx, bx, si, di, bp, sp,
    r8, r9, r10, r11, r12, r13, r14, r15, ip};
constexpr std::array<std::size_t, 9> compat{ax, cx, dx, bx, sp, bp, si, di, ip};

// Whether the thread runs 32-bit code.
template <typename Word>
bool
is_compat(const Word *regs) noexcept
{
	constexpr std::uint64_t user32_cs = 0x23;	// asm/segment.h
	return (regs[cs] & 0xffff) == user32_cs;
}

// The native registers that do not have the thread's values, by their DWARF
// numbers: syscall(2) keeps rip in rcx and the flags in r11.
template <typename Word>
std::uint64_t
lost(const Word *regs) noexcept
{
	constexpr int rcx = 2, r11_number = 11;
	return static_cast<std::int64_t>(regs[orig_ax]) >= 0 ?
	    std::uint64_t{1} << rcx | std::uint64_t{1} << r11_number : 0;
}

} // namespace stack9::pt_regs
