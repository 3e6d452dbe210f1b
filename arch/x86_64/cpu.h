// Describes x86-64 to the unwinder: registers by their DWARF numbers (psABI
// 3.6.2; libunwind has the same), and the meaning of the two common kinds of
// rule.  The return address is always the word below the CFA.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include <elf.h>

#include "unwind/rule.h"

namespace stack9::unwind {

inline constexpr int elf_machine = EM_X86_64;
// True if its kernels run 32-bit x86 programs.
inline constexpr bool runs_ia32 = true;
inline constexpr int register_count = 17;
inline constexpr const char *register_names[register_count] = {"rax", "rdx",
    "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11", "r12",
    "r13", "r14", "r15", "rip"};
inline constexpr int register_result = 0;	// of a system call
inline constexpr int register_fp = 6;
inline constexpr int register_sp = 7;
inline constexpr int register_pc = 16;	// also the return address's column
// Words from __builtin_frame_address(0) to the caller's frame pointer.
inline constexpr int saved_fp = 0;
// True if the saved frame pointer and the return address are the last words of
// their frame.
inline constexpr bool pair_ends_frame = true;
inline constexpr std::size_t red_zone = 128;	// bytes in use below sp
inline constexpr bool calls_push = true;	// the return address

// A callee preserves rbx, rbp, rsp, and r12 to r15.
inline constexpr std::uint64_t kept_by_calls =
    1u << 3 | 1u << 6 | 1u << 7 | 0xfu << 12;

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

// Notes the registers that a function's callers rely on, as they are here.
// Registers is struct registers, made with the constants above.
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
