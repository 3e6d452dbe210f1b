// Finds saved registers on riscv64.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <ucontext.h>

namespace stack9 {

inline constexpr int dwarf_pc = 32;

// The kernel has pc in the place of x0.
inline std::uintptr_t
register_of(const ucontext_t &uc, int number) noexcept
{
	return number == 0 ? 0 : uc.uc_mcontext.__gregs[
	    number == dwarf_pc ? 0 : number];
}

// A signal frame has a siginfo_t (128 bytes), then the ucontext_t, at sp
// (arch/riscv/kernel/signal.c, struct rt_sigframe).
constexpr std::size_t
signal_slot(int number) noexcept
{
	return 128 + offsetof(ucontext_t, uc_mcontext) +
	    static_cast<std::size_t>(number == dwarf_pc ? 0 : number) * 8;
}

// The kernel gives these instructions in the vdso as the handler's return
// address:
// li a7, __NR_rt_sigreturn; ecall.
inline constexpr std::array<std::uint8_t, 8> signal_trampoline{
	0x93, 0x08, 0xb0, 0x08, 0x73, 0x00, 0x00, 0x00,
};

} // namespace stack9
