// Describes riscv64 to the unwinder: registers by their DWARF numbers,
// and the meaning of the two common kinds of rule.  s0, the frame
// pointer, is saved at CFA - saved; ra is in the word above it, as compilers
// leave them.  A frame that saves ra alone, or keeps it, has a rule of kind
// full.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <elf.h>

#include "unwind/rule.h"

namespace stack9::unwind {

inline constexpr int elf_machine = EM_RISCV;
// True if its kernels run 32-bit x86 programs.
inline constexpr bool runs_ia32 = false;
// Number 32 is a floating-point register that no function saves.
inline constexpr int register_count = 33;
inline constexpr const char *register_names[register_count] = {"zero", "ra",
    "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3",
    "a4", "a5", "a6", "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9",
    "s10", "s11", "t3", "t4", "t5", "t6", "pc"};
inline constexpr int register_result = 10;	// a0, of a system call
inline constexpr int register_fp = 8;
inline constexpr int register_lr = 1;
inline constexpr int register_sp = 2;
inline constexpr int register_pc = 32;
// Words from __builtin_frame_address(0), the CFA, to the caller's frame
// pointer.
inline constexpr int saved_fp = -2;
// True if the saved frame pointer and the return address are the last words of
// their frame.
inline constexpr bool pair_ends_frame = true;
inline constexpr std::size_t red_zone = 0;
inline constexpr bool calls_push = false;	// ra has the return address

// A callee preserves s0 to s11, and sp.
inline constexpr std::uint64_t kept_by_calls =
    3ull << 8 | 0x3ffull << 18 | 1ull << register_sp;

inline std::uintptr_t
ra_slot(rule r, std::uintptr_t cfa) noexcept
{
	return cfa - r.saved() + 8;
}

inline std::uintptr_t
fp_slot(rule r, std::uintptr_t cfa) noexcept
{
	return cfa - r.saved();
}

// Return addresses have no authentication code.
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
	std::array<std::uintptr_t, 13> x;	// s0 to s11, ra
	std::uintptr_t sp, pc;
	// One statement, so that all of it belongs to one row.
	__asm__ volatile("sd s0, 0(%3); sd s1, 8(%3); sd s2, 16(%3);"
	    "sd s3, 24(%3); sd s4, 32(%3); sd s5, 40(%3); sd s6, 48(%3);"
	    "sd s7, 56(%3); sd s8, 64(%3); sd s9, 72(%3); sd s10, 80(%3);"
	    "sd s11, 88(%3); sd ra, 96(%3); mv %0, sp; auipc %1, 0"
	    : "=&r"(sp), "=&r"(pc), "=m"(x) : "r"(x.data()));
	r.set(8, x[0]);
	r.set(9, x[1]);
	for (int i = 2; i < 12; i++)
		r.set(16 + i, x[static_cast<std::size_t>(i)]);
	r.set(register_lr, x[12]);
	r.set(register_sp, sp);
	r.set(register_pc, pc);
	r.exact = true;
}

} // namespace stack9::unwind
