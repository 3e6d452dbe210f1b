// Names frames, kinds and amounts.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>

#include "profile.h"

namespace profiles {

using tools::is_code, tools::is_nameless, tools::label, tools::name_of;

const char *word(frame_kind);

// Gives the class of a frame's colour: a function has the same in every graph.
// The hash is FNV-1a, because std::hash may differ.
std::string colour_of(const frame &);

// Gives "1,234,567".
std::string grouped(std::uint64_t);

// Gives "1 event" or "1,234 events".
std::string amount(std::uint64_t, const std::string &unit);

// Gives "12.34 %".
std::string percent(std::uint64_t part, std::uint64_t whole);

// True if every weight is a number of events, not an amount that they took.
inline bool
counts_events(const profile &p)
{
	return p.unit == "events" || p.unit == "samples";
}

} // namespace profiles
