// Declares a frame's registers, as far as they are known.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "arch/cpu.h"

namespace stack9::unwind {

struct registers {
	static constexpr int count = register_count;

	std::array<std::uintptr_t, register_count> value{};
	std::uint64_t	known = 0;	// a bit for each register that is
	bool		exact = false;	// pc is not a return address: look up
					// pc, not pc - 1

	void
	set(int number, std::uintptr_t v) noexcept
	{
		value[static_cast<std::size_t>(number)] = v;
		known |= std::uint64_t{1} << number;
	}

	void
	forget(int number) noexcept
	{
		known &= ~(std::uint64_t{1} << number);
	}

	bool
	knows(int number) const noexcept
	{
		return number >= 0 && number < register_count &&
		    (known >> number & 1) != 0;
	}

	std::uintptr_t pc() const noexcept { return value[register_pc]; }
	std::uintptr_t sp() const noexcept { return value[register_sp]; }
	std::uintptr_t fp() const noexcept { return value[register_fp]; }
	std::uintptr_t
	lookup() const noexcept
	{
		return exact ? pc() : pc() - 1;
	}
};

} // namespace stack9::unwind
