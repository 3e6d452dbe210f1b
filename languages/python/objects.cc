// Reads the headers of objects, and the tables of dicts and sets
// (Objects/dictobject.c, Objects/setobject.c).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "objects.h"

#include <algorithm>

#include "text.h"

namespace stack9::languages::python {
namespace {

constexpr std::uint64_t word_size = 8;
constexpr std::size_t most_types = 4096;
constexpr int most_bases = 16;
constexpr std::uint64_t most_entries = 1 << 16, most_elements = 1 << 22;

// Names of types are C's strings.
bool
read_name(memory &m, std::uint64_t at, std::string &to)
{
	constexpr std::size_t longest = 128;
	char c;
	for (to.clear(); to.size() < longest; to.push_back(c)) {
		if (!m.read(at + to.size(), &c, 1))
			return false;
		if (c == '\0')
			return true;
	}
	return false;
}

// The entries of a dict's keys, and how they lie.
struct entries {
	std::uint64_t	at = 0, count = 0, size = 0, key = 0;
};

// Up to 3.10 the bytes of an index follow from the number of places, and each
// entry begins with a hash.  Later both are said, and entries whose keys are
// str have no hash.
bool
find_entries(memory &m, const layout &l, std::uint64_t keys, entries &to)
{
	std::uint8_t kinds[3];
	if (l.minor <= 10) {
		std::uint64_t places;
		if (!m.word(keys + 8, places) || places > most_entries ||
		    !m.word(keys + 32, to.count))
			return false;
		to.at = keys + 40 + places * (places <= 0xff ? 1 : 2);
		to.size = 3 * word_size;
		to.key = word_size;
	} else {
		if (!m.read(keys + 8, kinds, sizeof kinds) || kinds[1] > 20 ||
		    !m.word(keys + 24, to.count))
			return false;
		to.at = keys + 32 + (std::uint64_t{1} << kinds[1]);
		to.size = kinds[2] == 0 ? 3 * word_size : 2 * word_size;
		to.key = kinds[2] == 0 ? word_size : 0;
	}
	return to.count <= most_entries;
}

} // namespace

std::uint64_t
types::type_of(std::uint64_t object)
{
	std::uint64_t address = 0;
	return object % word_size == 0 && object != 0 &&
	    m_.word(object + header_of(l_) - word_size, address) ? address : 0;
}

const types::type &
types::at(std::uint64_t address)
{
	constexpr std::uint64_t name = 8, base = 240;	// behind ob_size
	if (all_.size() > most_types)
		all_.clear();
	const auto [known, is_new] = all_.try_emplace(address);
	std::uint64_t text;
	if (is_new && address % word_size == 0 &&
	    m_.word(address + header_of(l_) + name, text) &&
	    read_name(m_, text, known->second.name))
		m_.word(address + header_of(l_) + base, known->second.base);
	return known->second;
}

const std::string &
types::of(std::uint64_t object)
{
	return at(type_of(object)).name;
}

bool
types::is_a(std::uint64_t object, std::string_view name)
{
	std::uint64_t address = type_of(object);
	for (int n = 0; address != 0 && n < most_bases; n++) {
		const auto &t = at(address);
		if (t.name == name)
			return true;
		address = t.base;
	}
	return false;
}

std::uint64_t
value_of(memory &m, const layout &l, std::uint64_t dict, std::string_view name)
{
	std::uint64_t keys, values;
	entries e;
	std::string text;
	if (!m.word(dict + header_of(l) + 16, keys) ||
	    !m.word(dict + header_of(l) + 24, values) || values != 0 ||
	    !find_entries(m, l, keys, e))
		return 0;
	std::vector<std::uint64_t> words(e.count * e.size / word_size);
	if (words.empty() || !m.read(e.at, words.data(), e.count * e.size))
		return 0;
	const std::size_t step = e.size / word_size, key = e.key / word_size;
	for (std::size_t i = 0; i < words.size(); i += step)
		if (words[i + key] != 0 && words[i + key + 1] != 0 &&
		    read_str(m, l, words[i + key], text) && text == name)
			return words[i + key + 1];
	return 0;
}

std::vector<std::uint64_t>
elements_of(memory &m, const layout &l, std::uint64_t set)
{
	std::uint64_t mask, table;
	std::vector<std::uint64_t> words, found;
	if (!m.word(set + header_of(l) + 16, mask) || mask >= most_elements ||
	    !m.word(set + header_of(l) + 24, table))
		return found;
	constexpr std::uint64_t part = 1024;
	for (std::uint64_t i = 0; i <= mask; i += part) {
		words.resize(2 * std::min(part, mask + 1 - i));
		if (!m.read(table + 2 * word_size * i, words.data(),
		    words.size() * word_size))
			break;
		for (std::size_t n = 0; n < words.size(); n += 2)
			if (words[n] != 0)
				found.push_back(words[n]);
		m.forget();	// as little is kept as may be
	}
	return found;
}

} // namespace stack9::languages::python
