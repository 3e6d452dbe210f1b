// Follows V8's way to the name of an object's class (JSReceiver::
// GetConstructorName): the function that made the map of the object, else the
// property "constructor" of its prototypes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "class_name.h"

#include "function.h"
#include "text.h"

namespace stack9::languages::javascript {
namespace {

// Map, DescriptorArray and JSObject (src/objects/map.h, descriptor-array.tq).
constexpr std::uint64_t map_size_at = 8, map_inside_at = 9,
    map_bits_2_at = 15, map_bits_3_at = 16, map_prototype_at = 24,
    map_constructor_at = 32, map_descriptors_at = 40, properties_at = 8,
    descriptors_at = 24, descriptor_size = 24;
constexpr std::uint32_t made_by_base = 1, is_dictionary = 1 << 21,
    own_descriptors_shift = 10, own_descriptors_mask = 0x3ff;
constexpr unsigned int most_prototypes = 32, most_maps = 64;
constexpr std::string_view constructor_name = "constructor";

bool
is_constructor_key(heap &h, tagged key)
{
	characters c;
	std::string text;
	return find_characters(h, key, c) &&
	    c.length == constructor_name.size() && read_string(h, key, text) &&
	    text == constructor_name;
}

// The first of the maps that an object's map was made from has the function.
tagged
constructor_of(heap &h, tagged map)
{
	tagged its = map;
	for (unsigned int n = 0; n < most_maps &&
	    h.field(its, map_constructor_at, its); n++)
		if (h.type_of(its) != h.known().map_type)
			return h.is_function(its) ? its : 0;
	return 0;
}

// A property is in the object or in its array of properties.
tagged
property_at(heap &h, tagged object, tagged map, std::uint32_t index)
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
	else if (h.field(object, properties_at, more))
		h.field(more, heap::elements_at + 8 * (index - count), found);
	return found;
}

// The details of a property: bit 0 says accessor, bit 5 that the value is in
// the descriptor, and bits 19 to 28 are the index of its field.
tagged
described_constructor(heap &h, tagged object, tagged map, std::uint32_t bits)
{
	constexpr std::uint32_t accessor = 1, in_descriptor = 1 << 5,
	    index_shift = 19, index_mask = 0x3ff;
	const std::uint32_t count = bits >> own_descriptors_shift &
	    own_descriptors_mask;
	tagged descriptors, value;
	if (!h.field(map, map_descriptors_at, descriptors))
		return 0;
	std::vector<tagged> all(3 * std::size_t{count});
	if (all.empty() || !h.bytes(descriptors, descriptors_at, all.data(),
	    descriptor_size * count))
		return 0;
	for (std::size_t i = 0; i < all.size(); i += 3) {
		if (!is_constructor_key(h, all[i]))
			continue;
		const auto details = static_cast<std::uint32_t>(heap::small(
		    all[i + 1]));
		if ((details & accessor) != 0)
			return 0;
		value = (details & in_descriptor) != 0 ? all[i + 2] :
		    property_at(h, object, map, details >> index_shift &
		    index_mask);
		return h.is_function(value) ? value : 0;
	}
	return 0;
}

// A dictionary has keys, values and details one after the other.
tagged
kept_constructor(heap &h, tagged object)
{
	constexpr std::uint64_t most_words = 1 << 14;
	std::vector<tagged> words;
	tagged table;
	if (!h.field(object, properties_at, table) ||
	    !h.words_of(table, most_words, words))
		return 0;
	for (std::size_t i = 0; i + 1 < words.size(); i++)
		if (is_constructor_key(h, words[i]) &&
		    h.is_function(words[i + 1]))
			return words[i + 1];
	return 0;
}

std::string
name_of_function(heap &h, tagged function)
{
	tagged shared;
	std::string name;
	if (function != 0 && h.field(function, static_cast<std::uint64_t>(
	    h.known().function_shared), shared))
		name = name_of(h, shared);
	return name == "Object" ? "" : name;
}

} // namespace

std::string
class_name(heap &h, tagged receiver)
{
	const layout &l = h.known();
	const std::int32_t type = h.type_of(receiver);
	tagged map, prototype;
	std::uint8_t bits_2;
	std::string name;
	if (type < l.global_proxy || type == l.global_proxy ||
	    !h.field(receiver, 0, map) ||
	    !h.bytes(map, map_bits_2_at, &bits_2, sizeof bits_2))
		return "";
	if ((bits_2 & made_by_base) != 0)
		name = name_of_function(h, constructor_of(h, map));
	for (unsigned int n = 0; name.empty() && n < most_prototypes &&
	    h.field(map, map_prototype_at, prototype) &&
	    h.type_of(prototype) > l.global_proxy; n++) {
		std::uint32_t bits_3;
		if (!h.field(prototype, 0, map) ||
		    !h.bytes(map, map_bits_3_at, &bits_3, sizeof bits_3))
			break;
		name = name_of_function(h, (bits_3 & is_dictionary) != 0 ?
		    kept_constructor(h, prototype) :
		    described_constructor(h, prototype, map, bits_3));
	}
	if (name.empty())
		name = h.is_function(receiver) ? "Function" : "Object";
	return name;
}

} // namespace stack9::languages::javascript
