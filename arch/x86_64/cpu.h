// Describes x86-64 to the unwinder: registers by their DWARF numbers (psABI
// 3.6.2; libunwind has the same), signal frames, and the meaning of the two
// common kinds of rule.  The return address is always the word below the CFA.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <elf.h>
#include <ucontext.h>

#include "unwind/rule.h"

namespace stack9::unwind {

inline constexpr int elf_machine = EM_X86_64;
// Whether its kernels run 32-bit x86 programs.
inline constexpr bool runs_ia32 = true;
inline constexpr int register_count = 17;
inline constexpr int register_result = 0;	// of a system call
inline constexpr int register_fp = 6;
inline constexpr int register_sp = 7;
inline constexpr int register_pc = 16;	// also the return address's column
// Words from __builtin_frame_address(0) to the caller's frame pointer.
inline constexpr int saved_fp = 0;
// Whether the saved frame pointer and the return address are the last words of
// their frame.
inline constexpr bool pair_ends_frame = true;
inline constexpr std::size_t red_zone = 128;	// bytes in use below sp
inline constexpr bool calls_push = true;	// the return address

// A callee preserves rbx, rbp, rsp, and r12 to r15.
inline constexpr std::uint64_t kept_by_calls =
    1u << 3 | 1u << 6 | 1u << 7 | 0xfu << 12;

inline constexpr std::array<int, register_count> ucontext_index{
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

// Give the addresses of a frame's saved words, by its rule and its CFA.
inline std::uintptr_t
ra_slot(rule, std::uintptr_t cfa) noexcept
{
	return cfa - 8;
}

inline std::uintptr_t
fp_slot(rule r, std::uintptr_t cfa) noexcept
{
	return cfa - r.saved();
}

inline std::uintptr_t
strip(std::uintptr_t ra) noexcept
{
	return ra;
}

// In a signal frame the handler has returned to the trampoline, which finds the
// ucontext_t at sp (arch/x86/kernel/signal_64.c, struct rt_sigframe).
inline constexpr std::size_t signal_pc =
    offsetof(ucontext_t, uc_mcontext.gregs) + REG_RIP * 8;
inline constexpr std::size_t signal_sp =
    offsetof(ucontext_t, uc_mcontext.gregs) + REG_RSP * 8;
inline constexpr std::size_t signal_fp =
    offsetof(ucontext_t, uc_mcontext.gregs) + REG_RBP * 8;

// Gives the place of a register in the signal frame, from sp.
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

// Notes the registers that a function's callers rely on, as they are here.
// Registers is struct registers, which is made with the constants above.
template <class Registers>
[[gnu::always_inline]] inline void
take_registers(Registers &r) noexcept
{
	std::uintptr_t rbx, rbp, rsp, r12, r13, r14, r15, rip;
	__asm__ volatile("movq %%rbx, %0; movq %%rbp, %1"
	    : "=m"(rbx), "=m"(rbp));
	__asm__ volatile("movq %%r12, %0; movq %%r13, %1; movq %%r14, %2;"
	    "movq %%r15, %3" : "=m"(r12), "=m"(r13), "=m"(r14), "=m"(r15));
	__asm__ volatile("movq %%rsp, %0; leaq 0(%%rip), %1"
	    : "=&r"(rsp), "=r"(rip));
	r.set(3, rbx);
	r.set(register_fp, rbp);
	r.set(register_sp, rsp);
	r.set(12, r12);
	r.set(13, r13);
	r.set(14, r14);
	r.set(15, r15);
	r.set(register_pc, rip);
	r.exact = true;
}

} // namespace stack9::unwind
