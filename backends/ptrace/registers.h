// Reads the registers of a stopped thread by ptrace(2).
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include <sys/types.h>

#include "arch/kernel_registers.h"
#include "core/seam/user_copy.h"

namespace stack9::tracing {

struct raw_registers {
	alignas(std::uint64_t) std::byte bytes[arch::regs_size];
	std::size_t	size = 0;	// how many the kernel has filled
	std::uintptr_t	tls = 0;	// the thread pointer; 0: not known
};

// 0; ESRCH; EOPNOTSUPP: of another kind of machine than ours.
int read_registers(pid_t tid, raw_registers &) noexcept;

std::uintptr_t stack_pointer(const raw_registers &) noexcept;

void set_registers(const raw_registers &, user_copy &) noexcept;

} // namespace stack9::tracing
