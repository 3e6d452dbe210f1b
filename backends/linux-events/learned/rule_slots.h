// Writes rules into the slots that the programs read and fill, too.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "layout.h"
#include "mapped_array.h"

namespace stack9::events {

class rule_slots {
public:
	// map: that of the slots, 2 to the power of bits, and of one more word.
	// 0; or an errno.
	int
	open(int map, unsigned int bits) noexcept
	{
		bits_ = bits;
		return slots_.open(map, (std::size_t{1} << bits) + 1);
	}
	void close() noexcept { slots_.close(); }
	bool is_open() const noexcept { return slots_.size() != 0; }

	// The rule of a key; 0: it has none.
	std::uint32_t find(std::uint64_t key) const noexcept;
	// Keeps a rule for good.  False: all of its slots are full.
	bool add(std::uint64_t key, std::uint32_t rule) noexcept;

	// Says that a list of code was told.
	void say_told() noexcept;

	// Rules that were added, and those that found no place.
	std::uint64_t added() const noexcept { return added_; }
	std::uint64_t refused() const noexcept { return refused_; }

private:
	std::uint64_t *slot_of(std::uint64_t key) const noexcept;

	mapped_array<std::uint64_t> slots_;
	unsigned int	bits_ = 0;
	std::uint64_t	added_ = 0, refused_ = 0;
};

} // namespace stack9::events
