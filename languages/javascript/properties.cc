// Reads the two forms of an object's properties: described by its map, or kept
// in a dictionary (src/objects/map.h, descriptor-array.tq, dictionary.h,
// property-details.h).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "properties.h"

#include "text.h"

namespace stack9::languages::javascript {
namespace {

constexpr std::uint64_t map_size_at = 8, map_inside_at = 9,
    map_bits_at = 16, map_prototype_at = 24, map_descriptors_at = 40,
    more_at = 8, descriptors_at = 24;
constexpr std::uint32_t is_dictionary = 1 << 21, own_shift = 10,
    own_mask = 0x3ff;
// Details of a property.
constexpr std::uint32_t accessor = 1, hidden = 1 << 3, in_descriptor = 1 << 5,
    index_shift = 19, index_mask = 0x3ff;

// A property is in the object or in its array of properties.
tagged
field_at(heap &h, tagged object, tagged map, std::uint32_t index)
{
	std::uint8_t size, inside;
	tagged found = 0, more;
	if (!h.bytes(map, map_size_at, &size, sizeof size) ||
	    !h.bytes(map, map_inside_at, &inside, sizeof inside) ||
	    inside > size)
		return 0;
	const std::uint32_t count = size - inside;
	if (index < count)
		h.field(object, 8 * (inside + index), found);
	else if (h.field(object, more_at, more))
		h.field(more, heap::elements_at + 8 * (index - count), found);
	return found;
}

void
add_described(heap &h, tagged object, tagged map, std::uint32_t count,
    std::vector<property> &to)
{
	tagged descriptors;
	std::vector<tagged> all(3 * std::size_t{count});
	if (all.empty() || !h.field(map, map_descriptors_at, descriptors) ||
	    !h.bytes(descriptors, descriptors_at, all.data(),
	    8 * all.size()))
		return;
	for (std::size_t i = 0; i < all.size(); i += 3) {
		const auto details = static_cast<std::uint32_t>(heap::small(
		    all[i + 1]));
		to.push_back({all[i], (details & in_descriptor) != 0 ?
		    all[i + 2] : field_at(h, object, map, details >>
		    index_shift & index_mask), (details & accessor) != 0,
		    (details & hidden) != 0});
	}
}

// A dictionary has keys, values and details one after the other.
void
add_kept(heap &h, tagged object, std::vector<property> &to)
{
	constexpr std::uint64_t most_words = 1 << 14;
	std::vector<tagged> words;
	tagged table;
	if (!h.field(object, more_at, table) ||
	    !h.words_of(table, most_words, words))
		return;
	for (std::size_t i = 0; i + 2 < words.size(); i++) {
		if (!heap::is_object(words[i]) ||
		    !heap::is_small(words[i + 2]) || !h.is_string(words[i]))
			continue;
		const auto details = static_cast<std::uint32_t>(heap::small(
		    words[i + 2]));
		to.push_back({words[i], words[i + 1],
		    (details & accessor) != 0, (details & hidden) != 0});
	}
}

bool
is_text(heap &h, tagged string, std::string_view wanted)
{
	characters c;
	std::string text;
	return find_characters(h, string, c) && c.length == wanted.size() &&
	    read_string(h, string, text) && text == wanted;
}

} // namespace

std::vector<property>
properties_of(heap &h, tagged object)
{
	std::vector<property> all;
	std::uint32_t bits;
	tagged map;
	if (!h.field(object, 0, map) ||
	    !h.bytes(map, map_bits_at, &bits, sizeof bits))
		return all;
	if ((bits & is_dictionary) != 0)
		add_kept(h, object, all);
	else
		add_described(h, object, map, bits >> own_shift & own_mask,
		    all);
	return all;
}

tagged
own_value(heap &h, tagged object, std::string_view name)
{
	for (const property &p : properties_of(h, object))
		if (is_text(h, p.key, name))
			return p.is_accessor ? 0 : p.value;
	return 0;
}

tagged
prototype_of(heap &h, tagged object) noexcept
{
	tagged map, prototype;
	return h.field(object, 0, map) &&
	    h.field(map, map_prototype_at, prototype) &&
	    h.type_of(prototype) > h.known().global_proxy ? prototype : 0;
}

} // namespace stack9::languages::javascript
