// What frames, kinds and amounts are called.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>

#include "profile.h"

namespace profiles {

// Its name; if it has none, what else there is of it.  Never "".
std::string label(const frame &);

const char *word(frame_kind);

// "1,234,567"
std::string grouped(std::uint64_t);

// "1 event", "1,234 events"
std::string amount(std::uint64_t, const std::string &unit);

// "12.34 %"
std::string percent(std::uint64_t part, std::uint64_t whole);

// Is every weight a number of events, not of something that they took?
inline bool
counts_events(const profile &p)
{
	return p.unit == "events" || p.unit == "samples";
}

} // namespace profiles
