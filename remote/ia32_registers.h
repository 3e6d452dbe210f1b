// Declares the registers of a frame of 32-bit x86 code.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace stack9::remote {

// The registers by their DWARF numbers: eax, ecx, edx, ebx, esp, ebp, esi, edi,
// eip.
struct ia32_registers {
	static constexpr int count = 9, sp = 4, fp = 5, pc = 8;

	std::array<std::uint32_t, count> value{};
	std::uint32_t	known = 0;	// a bit for each known register
	bool		exact = false;	// pc is not a return address

	bool
	knows(int number) const noexcept
	{
		return number >= 0 && number < count &&
		    (known >> number & 1) != 0;
	}
	std::uint32_t
	operator[](int number) const noexcept
	{
		return value[static_cast<std::size_t>(number)];
	}
	void forget(int number) noexcept { known &= ~(1u << number); }
	void
	set(int number, std::uint32_t v) noexcept
	{
		value[static_cast<std::size_t>(number)] = v;
		known |= 1u << number;
	}
};

} // namespace stack9::remote
