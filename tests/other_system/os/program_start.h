// Says nothing of where the first thread's stack ends.  The functions that
// programs and threads begin in have unwind information.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

namespace stack9 {

inline std::uintptr_t
first_stack_address() noexcept
{
	return 0;
}

inline std::uintptr_t
program_entry() noexcept
{
	return 0;
}

inline constexpr bool start_is_described = true;

} // namespace stack9
