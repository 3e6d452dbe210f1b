// Reads the objects of Ruby: strings, arrays, and what the machine keeps as
// objects of its own.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>

#include "layout.h"

namespace stack9::languages::ruby {

// The kinds of objects that are read: the low bits of their flags.
enum class kind : std::uint8_t {
	none = 0,
	class_ = 2,
	module = 3,
	string = 5,
	array = 7,
	internal = 26,		// imemo
};

struct object {
	std::uint64_t	at = 0, flags = 0;

	kind what() const noexcept { return static_cast<kind>(flags & 0x1f); }
	bool is_singleton() const noexcept { return (flags & 0x1000) != 0; }
	unsigned int
	internal_kind() const noexcept
	{
		return flags >> 12 & 0xf;
	}
};

// False: the value is none that has a place in memory.
bool read_object(unwind::memory &, std::uint64_t value, object &);

// Gives the bytes of a String, at most 1024 of them.  False: it is none.
bool read_string(unwind::memory &, const layout &, std::uint64_t value,
    std::string &to);

// Gives the place and the number of the values of an Array.
struct values {
	std::uint64_t	at = 0, count = 0;
};
bool read_array(unwind::memory &, const layout &, std::uint64_t value,
    values &);

// Gives one of them.  False: there is none.
bool read_value(unwind::memory &, const values &, std::uint64_t index,
    std::uint64_t &value);

} // namespace stack9::languages::ruby
