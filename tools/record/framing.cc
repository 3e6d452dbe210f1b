// Computes and compares lengths and checksums.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "framing.h"

#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "limits.h"

namespace recording {
namespace {

constexpr std::string_view mark = "S9R";
constexpr char segment_head[] = {'S', '9', 'R',
    static_cast<char>(record_type::segment)};

std::uint64_t
little_endian(const char *at, std::size_t bytes)
{
	std::uint64_t value = 0;
	for (std::size_t i = bytes; i-- > 0;)
		value = value << 8 | static_cast<unsigned char>(at[i]);
	return value;
}

void
put(std::string &to, std::uint64_t value, std::size_t bytes)
{
	for (std::size_t i = 0; i < bytes; i++)
		to += static_cast<char>(value >> 8 * i);
}

std::uint64_t
checksum(const char *head, std::string_view payload)
{
	return XXH3_64bits_withSeed(payload.data(), payload.size(),
	    little_endian(head, 8));
}

} // namespace

void
put_record(std::string &to, record_type type, std::string_view payload)
{
	const std::size_t at = to.size();
	to += mark;
	to += static_cast<char>(type);
	put(to, payload.size(), 4);
	put(to, checksum(to.data() + at, payload), 8);
	to += payload;
}

found
first_record(std::string_view bytes, record &r, std::size_t &need)
{
	if (bytes.empty())
		return found::nothing;
	if (bytes.substr(0, mark.size()) != mark.substr(0, bytes.size()))
		return found::damage;
	need = head_size;
	if (bytes.size() < head_size)
		return found::part;
	const std::size_t size = little_endian(bytes.data() + 4, 4);
	if (size > most_payload)
		return found::damage;
	need = head_size + size;
	if (bytes.size() < need)
		return found::part;
	r.type = static_cast<record_type>(bytes[mark.size()]);
	r.payload = bytes.substr(head_size, size);
	return checksum(bytes.data(), r.payload) ==
	    little_endian(bytes.data() + 8, 8) ? found::record : found::damage;
}

bool
begins_segment(std::string_view bytes)
{
	return bytes.starts_with({segment_head, sizeof segment_head});
}

std::size_t
next_segment(std::string_view bytes)
{
	return bytes.find({segment_head, sizeof segment_head}, 1);
}

} // namespace recording
