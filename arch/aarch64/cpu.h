// Describes aarch64 to the unwinder: registers by their DWARF numbers
// (AADWARF64), and the meaning of the two common kinds of rule.
// x29 is saved at CFA - saved; x30, the return address, is in the word above
// it, as stp leaves them.  A frame that keeps its return address in x30 has a
// rule of kind full.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <elf.h>

#include "unwind/rule.h"

namespace stack9::unwind {

inline constexpr int elf_machine = EM_AARCH64;
// True if its kernels run 32-bit x86 programs.
inline constexpr bool runs_ia32 = false;
inline constexpr int register_count = 33;
inline constexpr const char *register_names[register_count] = {"x0", "x1", "x2",
    "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14",
    "x15", "x16", "x17", "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25",
    "x26", "x27", "x28", "x29", "x30", "sp", "pc"};
inline constexpr int register_result = 0;	// of a system call
inline constexpr int register_fp = 29;
inline constexpr int register_lr = 30;
inline constexpr int register_sp = 31;
inline constexpr int register_pc = 32;
// Words from __builtin_frame_address(0) to the caller's frame pointer.
inline constexpr int saved_fp = 0;
// True if the saved frame pointer and the return address are the last words of
// their frame: compilers of JIT code put them there, all others at its bottom.
inline constexpr bool pair_ends_frame = false;
inline constexpr std::size_t red_zone = 0;
inline constexpr bool calls_push = false;	// x30 has the return address

// A callee preserves x19 to x29, and sp.
inline constexpr std::uint64_t kept_by_calls =
    0x7ffull << 19 | 1ull << register_sp;

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

// Removes the authentication code of a signed return address, by xpaclri.  That
// is a nop if the CPU has no such codes.
inline std::uintptr_t
strip(std::uintptr_t ra) noexcept
{
	register std::uintptr_t x30 __asm__("x30") = ra;
	__asm__("hint 7" : "+r"(x30));
	return x30;
}

// Notes the registers that a function's callers rely on, as they are here.
// Registers is struct registers, made with the constants above.
template <class Registers>
[[gnu::always_inline]] inline void
take_registers(Registers &r) noexcept
{
	std::array<std::uintptr_t, 12> x;	// x19 to x30
	std::uintptr_t sp, pc;
	// One statement, so that all of it belongs to one row.
	__asm__ volatile("stp x19, x20, [%3]; stp x21, x22, [%3, 16];"
	    "stp x23, x24, [%3, 32]; stp x25, x26, [%3, 48];"
	    "stp x27, x28, [%3, 64]; stp x29, x30, [%3, 80];"
	    "mov %0, sp; adr %1, ."
	    : "=&r"(sp), "=&r"(pc), "=m"(x) : "r"(x.data()));
	for (int i = 0; i < 12; i++)
		r.set(19 + i, x[static_cast<std::size_t>(i)]);
	r.set(register_sp, sp);
	r.set(register_pc, pc);
	r.exact = true;
}

} // namespace stack9::unwind
