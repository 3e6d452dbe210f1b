// Reads strings: their characters lie after the header (sequential), outside of
// the heap (external), or in other strings: two that follow each other (cons),
// a part of another (sliced), or the one that replaces it (thin).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "text.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "languages/utf8.h"

namespace stack9::languages::javascript {
namespace {

// src/objects/instance-type.h, string.tq.
constexpr std::int32_t representation = 7, sequential = 0, cons = 1,
    external = 2, sliced = 3, thin = 5, one_byte = 8, uncached = 16,
    strings_end = 128;
constexpr std::uint64_t length_at = 12, first_at = 16, second_at = 24,
    data_at = 24, offset_at = 24, sequential_at = 16;
constexpr std::uint32_t longest = 1024;
constexpr unsigned int most_hops = 64, most_parts = 256;

bool
put_characters(heap &h, const characters &c, std::string &to)
{
	std::vector<std::uint8_t> raw(c.length * c.width);
	if (!raw.empty() && !h.memory().read(c.at, raw.data(), raw.size()))
		return false;
	const auto at = [&](std::size_t i) {
		std::uint32_t unit = raw[i];
		if (c.width == 2)
			unit = raw[2 * i] | raw[2 * i + 1] << 8;
		return unit;
	};
	for (std::size_t i = 0; i < c.length; i++) {
		std::uint32_t unit = at(i);
		if (unit == 0)
			return true;
		if (unit >= 0xd800 && unit < 0xe000) {
			const std::uint32_t next = i + 1 < c.length ?
			    at(i + 1) : 0;
			const bool is_pair = unit < 0xdc00 &&
			    next >= 0xdc00 && next < 0xe000;
			unit = is_pair ? 0x10000 + ((unit & 0x3ff) << 10 |
			    (next & 0x3ff)) : 0xfffd;
			i += is_pair;
		}
		put_utf8(unit, to);
	}
	return true;
}

bool
length_of(heap &h, tagged string, std::uint32_t &to)
{
	constexpr std::uint32_t largest = 1 << 29;
	return h.bytes(string, length_at, &to, sizeof to) && to <= largest;
}

} // namespace

// A cons string that was flattened has all in its first part.
bool
find_characters(heap &h, tagged string, characters &to)
{
	std::uint64_t skipped = 0;
	std::uint32_t wanted, length;
	if (!h.is_string(string) || !length_of(h, string, wanted))
		return false;
	for (unsigned int hops = 0; hops < most_hops; hops++) {
		const std::int32_t type = h.type_of(string);
		tagged next;
		std::int32_t offset = 0;
		if (type < 0 || type >= strings_end ||
		    !length_of(h, string, length))
			return false;
		const std::uint8_t width = (type & one_byte) != 0 ? 1 : 2;
		switch (type & representation) {
		case sequential:
			to = {string - 1 + sequential_at + skipped * width,
			    wanted, width};
			return skipped + wanted <= length;
		case external:
			if ((type & uncached) != 0 ||
			    !h.field(string, data_at, next))
				return false;
			to = {next + skipped * width, wanted, width};
			return skipped + wanted <= length;
		case cons:
			if (!h.field(string, second_at, next) ||
			    !length_of(h, next, length) || length != 0)
				return false;
			break;
		case sliced:
			if (!h.small_field(string, offset_at, offset) ||
			    offset < 0)
				return false;
			skipped += static_cast<std::uint32_t>(offset);
			break;
		case thin:
			break;
		default:
			return false;
		}
		if (!h.field(string, first_at, string))
			return false;
	}
	return false;
}

bool
read_string(heap &h, tagged string, std::string &to)
{
	to.clear();
	if (!h.is_string(string))
		return false;
	std::vector<tagged> parts{string};
	std::uint32_t left = longest;
	for (unsigned int n = 0; !parts.empty() && left > 0 &&
	    n < most_parts; n++) {
		const tagged part = parts.back();
		parts.pop_back();
		characters c;
		tagged first, second;
		if (find_characters(h, part, c)) {
			c.length = std::min(c.length, left);
			left -= c.length;
			if (!put_characters(h, c, to))
				return false;
		} else if ((h.type_of(part) & representation) == cons &&
		    h.is_string(part) && h.field(part, first_at, first) &&
		    h.field(part, second_at, second)) {
			parts.push_back(second);
			parts.push_back(first);
		} else {
			return false;
		}
	}
	return true;
}

} // namespace stack9::languages::javascript
