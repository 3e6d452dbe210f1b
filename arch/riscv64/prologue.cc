// Follows no instructions on riscv64: a sleeping thread of another user is
// walked as far as unwind information goes without its frame pointer.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "unwind/prologue.h"

namespace stack9::unwind {

bool
fp_by_prologue(memory &, std::uintptr_t, std::uintptr_t, std::uintptr_t,
    std::uintptr_t &) noexcept
{
	return false;
}

// Room for arguments is made once, at the beginning.
std::size_t
bytes_of_arguments(memory &, std::uintptr_t) noexcept
{
	return 0;
}

} // namespace stack9::unwind
