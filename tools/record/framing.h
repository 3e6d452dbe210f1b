// Puts bytes into records and finds the records in a file.  A record has its
// length and a checksum, so that a reader knows whether all of it is there:
//	0	"S9R", and the type of the record
//	4	the length of the payload, little endian
//	8	XXH3 of the payload, seeded with the eight bytes before
//	16	the payload
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace recording {

enum class record_type : std::uint8_t {
	segment = 1,	// begins a segment
	tick = 2,	// a moment
	end = 3,	// ends a segment that was closed in order
};

inline constexpr std::size_t head_size = 16;

struct record {
	record_type	type;
	std::string_view payload;
};

enum class found {
	record,
	nothing,	// the bytes end here
	part,		// the bytes end within the record
	damage,		// this is not a record
};

void put_record(std::string &to, record_type, std::string_view payload);

// Looks at the beginning of the bytes.  For a part, need is how many bytes it
// takes to know more.
found first_record(std::string_view bytes, record &, std::size_t &need);

// Returns true if the bytes can be the beginning of a segment.
bool begins_segment(std::string_view bytes);

// Gives the place of the next bytes, from 1 on, that can be the beginning of a
// segment; npos: there are none.
std::size_t next_segment(std::string_view bytes);

} // namespace recording
