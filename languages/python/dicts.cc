// Reads the tables of dicts (Objects/dictobject.c, Include/internal/
// pycore_dict.h), and where objects have their attributes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "dicts.h"

#include "text.h"

namespace stack9::languages::python {
namespace {

constexpr std::uint64_t word_length = 8, most_entries = 1 << 16;

// The keys of a dict: a table of numbers of entries, by hash, and the entries.
struct key_table {
	std::uint64_t	indices = 0, places = 0, index_size = 0;
	std::uint64_t	entries = 0, count = 0, entry_size = 0;
	std::uint64_t	key = 0;	// of an entry; its value follows

	std::uint64_t
	words_of_entry() const noexcept
	{
		return entry_size / word_length;
	}
};

// Up to 3.10 the bytes of an index follow from the number of places, and each
// entry begins with a hash.  Later both are said, and entries whose keys are
// str have no hash.
bool
read_keys(memory &m, const layout &l, std::uint64_t keys, key_table &to)
{
	std::uint8_t kinds[3];	// log2 of places and of bytes; the entries'
	bool has_hash = true;
	if (l.minor <= 10) {
		if (!m.word(keys + 8, to.places) || to.places == 0 ||
		    to.places > most_entries ||
		    !m.word(keys + 32, to.count))
			return false;
		to.index_size = to.places <= 0xff ? 1 :
		    to.places <= 0xffff ? 2 : 4;
		to.indices = keys + 40;
	} else {
		if (!m.read(keys + 8, kinds, sizeof kinds) || kinds[0] > 16 ||
		    kinds[1] < kinds[0] || kinds[1] > kinds[0] + 2 ||
		    !m.word(keys + 24, to.count))
			return false;
		to.places = std::uint64_t{1} << kinds[0];
		to.index_size = std::uint64_t{1} << (kinds[1] - kinds[0]);
		to.indices = keys + 32;
		has_hash = kinds[2] == 0;
	}
	to.entries = to.indices + to.places * to.index_size;
	to.key = has_hash ? word_length : 0;
	to.entry_size = to.key + 2 * word_length;
	return to.count <= to.places;
}

// Gives the place of the values: after their keys, unless they are said to be
// elsewhere.
std::uint64_t
place_in(memory &m, const layout &l, std::uint64_t keys, std::uint64_t values,
    std::string_view name)
{
	key_table t;
	std::string text;
	if (!read_keys(m, l, keys, t) || t.count == 0)
		return 0;
	std::vector<std::uint64_t> words(t.count * t.words_of_entry());
	if (!m.read(t.entries, words.data(), words.size() * word_length))
		return 0;
	for (std::uint64_t i = 0; i < t.count; i++) {
		const std::uint64_t at = i * t.entry_size + t.key;
		const std::uint64_t key = words[at / word_length];
		if (key != 0 && read_str(m, l, key, text) && text == name)
			return values != 0 ? values + word_length * i :
			    t.entries + at + word_length;
	}
	return 0;
}

std::uint64_t
word_in(memory &m, std::uint64_t place)
{
	std::uint64_t value;
	return place != 0 && m.word(place, value) ? value : 0;
}

// Flags of a type.
constexpr std::uint64_t flags_at = 152;

bool
has_managed_dict(const layout &l, std::uint64_t flags)
{
	return l.minor >= 11 && (flags & 0x10) != 0;
}

// Since 3.13 four bytes and as many unused ones lie before the values.
std::uint64_t
first_value(const layout &l, std::uint64_t values)
{
	return l.minor >= 13 ? values + word_length : values;
}

} // namespace

std::uint64_t
place_of(memory &m, const layout &l, std::uint64_t dict, std::string_view name)
{
	std::uint64_t keys, values;
	if (dict == 0 || !m.word(dict + header_of(l) + 16, keys) ||
	    !m.word(dict + header_of(l) + 24, values))
		return 0;
	return place_in(m, l, keys, values == 0 ? 0 : first_value(l, values),
	    name);
}

std::uint64_t
value_of(memory &m, const layout &l, std::uint64_t dict, std::string_view name)
{
	return word_in(m, place_of(m, l, dict, name));
}

// Follows the places of the hash as CPython does.
std::uint64_t
value_of(memory &m, const layout &l, std::uint64_t dict, std::uint64_t number)
{
	constexpr int most_tries = 1024;
	std::uint64_t keys, values, i = number, rest = number;
	key_table t;
	if (dict == 0 || !m.word(dict + header_of(l) + 16, keys) ||
	    !m.word(dict + header_of(l) + 24, values) || values != 0 ||
	    !read_keys(m, l, keys, t) || t.key == 0)
		return 0;
	for (int n = 0; n < most_tries; n++) {
		std::uint64_t entry[3];
		std::uint32_t index = 0;
		i %= t.places;
		if (!m.read(t.indices + i * t.index_size, &index,
		    t.index_size))
			return 0;
		if (index < t.count && m.read(t.entries + index * t.entry_size,
		    entry, sizeof entry) && entry[0] == number)
			return entry[2];
		if (index == ~std::uint32_t{0} >> (32 - 8 * t.index_size))
			return 0;	// nothing was put there
		rest >>= 5;
		i = 5 * i + rest + 1;
	}
	return 0;
}

// Up to 3.11 a word before the object leads to the values, in 3.12 a word less
// one, and later they lie after it.
bool
attributes::has_values(std::uint64_t object, std::uint64_t type,
    std::uint64_t &values)
{
	constexpr std::uint64_t size_at = 16, inline_values = 0x4,
	    valid = 1 << 24;
	std::uint64_t flags, size;
	std::uint32_t head;
	if (!m_.word(type + header_of(l_) + flags_at, flags) ||
	    !has_managed_dict(l_, flags))
		return false;
	if (l_.minor == 11)
		return m_.word(object - 32, values) && values != 0;
	if (l_.minor == 12)
		return m_.word(object - 24, values) && (values++ & 1) != 0;
	if ((flags & inline_values) == 0 ||
	    !m_.word(type + header_of(l_) + size_at, size) || size > 4096 ||
	    !m_.read(object + size, &head, sizeof head) || head < valid)
		return false;
	values = object + size;
	return true;
}

// Where the type says, or since 3.11 before the object.
std::uint64_t
attributes::dict_of(std::uint64_t object, std::uint64_t type)
{
	constexpr std::uint64_t offset_at = 272, largest = 4096;
	std::uint64_t flags, offset, dict;
	if (!m_.word(type + header_of(l_) + flags_at, flags) ||
	    !m_.word(type + header_of(l_) + offset_at, offset))
		return 0;
	if (has_managed_dict(l_, flags))
		return m_.word(object - 24, dict) ? dict : 0;
	return offset != 0 && offset <= largest &&
	    m_.word(object + offset, dict) ? dict : 0;
}

attributes::attributes(memory &m, const layout &l, std::uint64_t object)
    : m_(m), l_(l)
{
	std::uint64_t type, values;
	const std::uint64_t keys_at = l.minor >= 12 ? 880 : 872;
	if (l.is_free_threaded || object == 0 || object % word_length != 0 ||
	    !m.word(object + header_of(l) - word_length, type))
		return;
	if (!has_values(object, type, values))
		dict_ = dict_of(object, type);
	else if (m.word(type + keys_at, keys_))
		values_ = first_value(l, values);
}

std::uint64_t
attributes::of(std::string_view name)
{
	return dict_ != 0 ? value_of(m_, l_, dict_, name) : values_ != 0 ?
	    word_in(m_, place_in(m_, l_, keys_, values_, name)) : 0;
}

} // namespace stack9::languages::python
