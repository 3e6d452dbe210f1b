// A thread's registers and the inner part of its stack, at one instant.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "cpu.h"

namespace stack9::self {

struct snapshot {
	std::array<std::uintptr_t, register_count> registers{};
	std::uint64_t	 known = 0;	// a bit for each register that is
	std::uintptr_t	 base = 0;	// where the copied memory begins
	std::size_t	 size = 0;	// bytes of it
	std::size_t	 room = 0;	// bytes there was room for
	std::byte	*bytes = nullptr;

	void
	set(int number, std::uintptr_t value) noexcept
	{
		registers[static_cast<std::size_t>(number)] = value;
		known |= std::uint64_t{1} << number;
	}

	bool
	knows(int number) const noexcept
	{
		return number >= 0 && number < register_count &&
		    (known >> number & 1) != 0;
	}

	std::uintptr_t
	sp() const noexcept
	{
		return registers[register_sp];
	}

	// The memory went on, the room did not.
	bool cut() const noexcept { return size == room; }

	// Copy the stack from sp outwards, up to the room or the end of what is
	// mapped.  Async-signal-safe; may change errno.
	void take() noexcept;
};

} // namespace stack9::self
