// Finds names for addresses, by symbols/ and by the kernel's own formatting.
// Backends may call it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <span>

#include "record.h"

namespace stack9 {

// Kernel addresses are the upper half of the address space on every 64-bit
// Linux.
constexpr bool
is_kernel_address(std::uintptr_t pc) noexcept
{
	return static_cast<std::intptr_t>(pc) < 0;
}

// Finds names of this process's functions together, for find_name() with
// name_nowait.  Async-signal-safe.
void learn_names(std::span<const std::uintptr_t> pcs) noexcept;

// flags: STACK9_RETURN_ADDRESS, STACK9_NOWAIT.  Errors as stack9_name().
int find_name(std::uintptr_t pc, unsigned int flags, symbol_name &) noexcept;

} // namespace stack9
