// What differs from CPU to CPU: how many registers unwind information speaks
// of, what number it gives them, and where a signal handler finds them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <ucontext.h>

namespace stack9::self {

#if defined(__x86_64__)

inline constexpr int register_count = 17;
inline constexpr int register_sp = 7;
inline constexpr int register_pc = 16;
inline constexpr std::size_t red_zone = 128;	// below sp, and in use

// In the order of the psABI's DWARF numbers, which are libunwind's too.
inline constexpr std::array<int, register_count> ucontext_index{
	REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP,
	REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15,
	REG_RIP,
};

inline std::uintptr_t
register_of(const ucontext_t &uc, int number) noexcept
{
	return static_cast<std::uintptr_t>(
	    uc.uc_mcontext.gregs[ucontext_index[number]]);
}

#elif defined(__aarch64__)

inline constexpr int register_count = 33;
inline constexpr int register_sp = 31;
inline constexpr int register_pc = 32;
inline constexpr std::size_t red_zone = 0;

inline std::uintptr_t
register_of(const ucontext_t &uc, int number) noexcept
{
	return number == register_pc ? uc.uc_mcontext.pc :
	    number == register_sp ? uc.uc_mcontext.sp :
	    uc.uc_mcontext.regs[number];
}

#else
#error "backends/self/cpu.h does not know this CPU"
#endif

} // namespace stack9::self
