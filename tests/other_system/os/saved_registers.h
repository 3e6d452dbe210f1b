// Says nothing of the registers that this system saves for a signal's handler,
// except the DWARF rows of the C library's trampoline.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <ucontext.h>

namespace stack9 {

inline std::uintptr_t
register_of(const ucontext_t &, int) noexcept
{
	return 0;
}

// No frame of this system has them there: a row says where they are.
constexpr std::size_t
signal_slot(int number) noexcept
{
	return static_cast<std::size_t>(number) * 8;
}

// No code begins with these bytes: ud2.
inline constexpr std::array<std::uint8_t, 4> signal_trampoline{
	0x0f, 0x0b, 0x0f, 0x0b,
};

} // namespace stack9
