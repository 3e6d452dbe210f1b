// Finds saved registers on aarch64.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <ucontext.h>

namespace stack9 {

inline constexpr int dwarf_sp = 31, dwarf_pc = 32;

inline std::uintptr_t
register_of(const ucontext_t &uc, int number) noexcept
{
	return number == dwarf_pc ? uc.uc_mcontext.pc :
	    number == dwarf_sp ? uc.uc_mcontext.sp :
	    uc.uc_mcontext.regs[number];
}

// A signal frame has a siginfo_t (128 bytes), then the ucontext_t, at sp
// (arch/arm64/kernel/signal.c, struct rt_sigframe).
constexpr std::size_t
signal_slot(int number) noexcept
{
	return 128 + (number == dwarf_pc ?
	    offsetof(ucontext_t, uc_mcontext.pc) : number == dwarf_sp ?
	    offsetof(ucontext_t, uc_mcontext.sp) :
	    offsetof(ucontext_t, uc_mcontext.regs) +
	    static_cast<std::size_t>(number) * 8);
}

// The kernel gives these instructions in the vdso as the handler's return
// address:
// mov x8, #__NR_rt_sigreturn; svc #0.
inline constexpr std::array<std::uint8_t, 8> signal_trampoline{
	0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4,
};

} // namespace stack9
