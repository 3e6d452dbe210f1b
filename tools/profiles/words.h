// Names frames, kinds and amounts.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>

#include "profile.h"

namespace profiles {

// Gives the frame's name or, if it has none, another thing that is known of it:
// "0x1101".  The text is never "".
std::string name_of(const frame &);

// True if the frame's code has no name.
bool is_nameless(const frame &);

// Gives the name for readers that see nothing else of the frame.  User code
// without a name is "[libx.so+0x1101]": addresses in two files may be equal,
// and their functions are not.
std::string label(const frame &);

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
