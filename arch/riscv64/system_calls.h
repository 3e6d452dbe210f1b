// Says where a system call that a filter has trapped has its arguments and its
// result on riscv64.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <linux/audit.h>
#include <ucontext.h>

namespace stack9::arch {

inline constexpr std::uint32_t audit_arch = AUDIT_ARCH_RISCV64;
// There are no numbers of other kinds of programs.
inline constexpr std::uint32_t foreign_calls = UINT32_MAX;

inline std::uint64_t
call_argument(const ucontext_t &at, int n) noexcept
{
	return at.uc_mcontext.__gregs[10 + n];
}

inline void
set_call_result(ucontext_t &at, long result) noexcept
{
	at.uc_mcontext.__gregs[10] = static_cast<std::uint64_t>(result);
}

} // namespace stack9::arch
