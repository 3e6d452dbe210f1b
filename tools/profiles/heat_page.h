// Writes a page on which a range of time is picked and its flame graph is seen.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "profile.h"

namespace profiles {

struct heat_map {
	// Weights of stacks, by their indexes in profile::stacks, in the slots
	// in which they differ from those of the slot before.
	using slot = std::vector<std::pair<std::uint32_t, std::uint64_t>>;

	std::vector<slot>	slots;
	std::int64_t		began_ns = 0;	// CLOCK_REALTIME
	std::uint64_t		slot_ns = 0;
	std::uint64_t		rows = 0;	// slots of a column
};

// The page needs no other file and no network.
std::string heat_page(const profile &, const heat_map &);

} // namespace profiles
