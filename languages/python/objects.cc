// Reads the headers of objects, and the tables of sets (Objects/setobject.c).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "objects.h"

#include <algorithm>

namespace stack9::languages::python {
namespace {

constexpr std::uint64_t word_size = 8;
constexpr std::size_t most_types = 4096;
constexpr int most_bases = 16;
constexpr std::uint64_t most_elements = 1 << 22;

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
	constexpr std::uint64_t name = 8, base = 240;	// after ob_size
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
