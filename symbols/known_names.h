// Remembers the names that a thread found last, by address.  A program that
// shows one dump after the other asks for the same names again and again.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "process/mapping.h"

namespace stack9 {

// A name of an address in one snapshot of a space, which keeps the texts alive.
struct known_name {
	std::uint64_t	look = 0;	// stack9_space::number(); 0: nothing
	std::uint64_t	key = 0;
	const char	*name = nullptr, *module = nullptr;
	std::uint16_t	name_length = 0, module_length = 0;
	std::uint64_t	offset = 0, size = 0;
	process::place	at;		// of the instruction
};

class known_names {
public:
	static std::uint64_t
	key(std::uintptr_t pc, bool return_address) noexcept
	{
		return std::uint64_t{pc} << 1 | return_address;
	}

	const known_name *
	find(std::uint64_t look, std::uint64_t key) const noexcept
	{
		for (const known_name &n : sets_[set_of(key)])
			if (n.look == look && n.key == key)
				return &n;
		return nullptr;
	}

	// Replaces the older of the two in its set.
	void
	add(const known_name &n) noexcept
	{
		set &s = sets_[set_of(n.key)];
		s[1] = s[0];
		s[0] = n;
	}

private:
	using set = std::array<known_name, 2>;
	static constexpr unsigned int bits = 8;

	static std::size_t
	set_of(std::uint64_t key) noexcept
	{
		return key * 0x9e3779b97f4a7c15 >> (64 - bits);
	}

	std::array<set, 1 << bits>	sets_{};	// 44 KiB
};

} // namespace stack9
