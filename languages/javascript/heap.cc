// Reads objects of V8's heap.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "heap.h"

namespace stack9::languages::javascript {
namespace {

// Map: its type (src/objects/map.tq).
constexpr std::uint64_t map_type_at = 12;
constexpr std::int32_t first_nonstring = 128;
constexpr std::int32_t largest_bytes = 1 << 20;

} // namespace

bool
heap::small_field(tagged object, std::uint64_t offset, std::int32_t &to)
    noexcept
{
	tagged w;
	if (!field(object, offset, w) || !is_small(w))
		return false;
	to = small(w);
	return true;
}

std::int32_t
heap::type_of(tagged object) noexcept
{
	tagged map;
	std::uint16_t type;
	return field(object, 0, map) && bytes(map, map_type_at, &type,
	    sizeof type) ? type : -1;
}

bool
heap::is_function(tagged object) noexcept
{
	const std::int32_t type = type_of(object);
	return type >= l_.first_function && type <= l_.last_function;
}

bool
heap::is_string(tagged object) noexcept
{
	const std::int32_t type = type_of(object);
	return type >= 0 && type < first_nonstring;
}

bool
heap::words_of(tagged array, std::uint64_t most, std::vector<tagged> &to)
{
	std::int32_t length;
	to.clear();
	if (!small_field(array, length_at, length) || length < 0 ||
	    static_cast<std::uint64_t>(length) > most)
		return false;
	to.resize(static_cast<std::size_t>(length));
	return length == 0 || bytes(array, elements_at, to.data(),
	    8 * to.size());
}

bool
heap::bytes_of(tagged array, std::vector<std::uint8_t> &to)
{
	const std::int32_t type = type_of(array);
	std::int32_t length;
	to.clear();
	if (type < 0 || (type != l_.byte_array &&
	    type != l_.trusted_byte_array) ||
	    !small_field(array, length_at, length) || length < 0 ||
	    length > largest_bytes)
		return false;
	to.resize(static_cast<std::size_t>(length));
	return length == 0 || bytes(array, elements_at, to.data(), to.size());
}

} // namespace stack9::languages::javascript
