// Declares a frame's registers, of any CPU.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace stack9::unwind {

// The registers by their DWARF numbers.
template <class Word, int Count, int Sp, int Fp, int Pc>
struct other_registers {
	static constexpr int count = Count, sp = Sp, fp = Fp, pc = Pc;

	std::array<Word, Count> value{};
	std::uint64_t	known = 0;	// a bit for each known register
	bool		exact = false;	// pc is not a return address

	bool
	knows(int number) const noexcept
	{
		return number >= 0 && number < count &&
		    (known >> number & 1) != 0;
	}
	Word
	operator[](int number) const noexcept
	{
		return value[static_cast<std::size_t>(number)];
	}
	void
	forget(int number) noexcept
	{
		known &= ~(std::uint64_t{1} << number);
	}
	void
	set(int number, Word v) noexcept
	{
		value[static_cast<std::size_t>(number)] = v;
		known |= std::uint64_t{1} << number;
	}
};

} // namespace stack9::unwind
