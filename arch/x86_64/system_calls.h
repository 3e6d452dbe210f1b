// Says where a system call that a filter has trapped has its arguments and its
// result on x86-64.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <linux/audit.h>
#include <ucontext.h>

namespace stack9::arch {

inline constexpr std::uint32_t audit_arch = AUDIT_ARCH_X86_64;
// Numbers from here on are those of another kind of program (x32).
inline constexpr std::uint32_t foreign_calls = 0x40000000;

inline std::uint64_t
call_argument(const ucontext_t &at, int n) noexcept
{
	constexpr int registers[] = {REG_RDI, REG_RSI, REG_RDX};
	return static_cast<std::uint64_t>(
	    at.uc_mcontext.gregs[registers[n]]);
}

inline void
set_call_result(ucontext_t &at, long result) noexcept
{
	at.uc_mcontext.gregs[REG_RAX] = result;
}

} // namespace stack9::arch
