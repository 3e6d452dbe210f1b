// Says what a profile measures, in the words of other people's servers.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "profile.h"

namespace profiles {

// Servers take one kind of value a profile.  A sample's value is the weight or
// the events of its stack, multiplied by factor.
struct measure {
	const char	*type, *unit;	// "cpu", "nanoseconds"
	std::uint64_t	period;		// in that unit; never 0
	std::uint64_t	factor;
	bool		of_weight;

	std::uint64_t
	value(const stack &s) const
	{
		return (of_weight ? s.weight : s.events) * factor;
	}
};

measure measure_of(const profile &);

} // namespace profiles
