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

// A name of an address in one snapshot of a space, which keeps what it points
// to.  In one line of the CPU's cache.
struct alignas(64) known_name {
	std::uint64_t	look = 0;	// stack9_space::number(); 0: nothing
	std::uint64_t	key = 0;
	const process::mapping *where = nullptr;
	std::uint64_t	vaddr = 0;	// of the instruction; 0: none
	const char	*name = nullptr;
	std::uint16_t	name_length = 0;
	bool		name_ends = false;	// by a NUL, as not all do
	std::uint64_t	offset = 0, size = 0;
};
static_assert(sizeof(known_name) == 64);

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
		for (const auto place : {first(key), second(key)})
			if (const known_name &n = all_[place];
			    n.look == look && n.key == key)
				return &n;
		return nullptr;
	}

	// Replaces a name of another look, or moves the first one to its other
	// place: two names of the same places do not take turns.
	void
	add(const known_name &n) noexcept
	{
		known_name &one = all_[first(n.key)];
		known_name &other = all_[second(n.key)];
		if (one.look != n.look) {
			one = n;
		} else if (other.look != n.look) {
			other = n;
		} else {
			all_[beside(one)] = one;
			one = n;
		}
	}

private:
	static constexpr unsigned int bits = 9;

	static std::uint64_t
	mixed(std::uint64_t key) noexcept
	{
		return key * 0x9e3779b97f4a7c15;
	}

	static std::size_t
	first(std::uint64_t key) noexcept
	{
		return mixed(key) >> (64 - bits);
	}

	static std::size_t
	second(std::uint64_t key) noexcept
	{
		return mixed(key) >> (64 - 2 * bits) & ((1 << bits) - 1);
	}

	std::size_t
	beside(const known_name &n) const noexcept
	{
		const std::size_t place = first(n.key);
		return &n == &all_[place] ? second(n.key) : place;
	}

	std::array<known_name, 1 << bits>	all_{};	// 32 KiB
};

} // namespace stack9
