// Finds saved registers on x86-64.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <ucontext.h>

namespace stack9 {

inline constexpr std::array<int, 17> ucontext_index{
	REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP,
	REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15,
	REG_RIP,
};

inline std::uintptr_t
register_of(const ucontext_t &uc, int number) noexcept
{
	return static_cast<std::uintptr_t>(uc.uc_mcontext.gregs[
	    ucontext_index[static_cast<std::size_t>(number)]]);
}

// The handler has returned to the trampoline.  That finds the ucontext_t at sp
// (arch/x86/kernel/signal_64.c, struct rt_sigframe).
constexpr std::size_t
signal_slot(int number) noexcept
{
	return offsetof(ucontext_t, uc_mcontext.gregs) +
	    static_cast<std::size_t>(
	    ucontext_index[static_cast<std::size_t>(number)]) * 8;
}

// The C library gives the kernel the address of these instructions as the
// handler's return address: mov $__NR_rt_sigreturn,%rax; syscall.
inline constexpr std::array<std::uint8_t, 9> signal_trampoline{
	0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05,
};

} // namespace stack9
