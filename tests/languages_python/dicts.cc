// Tests dicts that are made up.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cstring>
#include <map>

#include "languages/python/dicts.h"

BOOST_AUTO_TEST_SUITE(python_dicts)

namespace {

using stack9::languages::python::layout;
using stack9::languages::python::value_of;

constexpr std::uint64_t dict = 0x10000, table = 0x20000;

// Words by address; the others are 0.
class made_memory final : public stack9::languages::memory {
public:
	std::map<std::uint64_t, std::uint64_t> words;

	bool
	read(std::uintptr_t from, void *to, std::size_t size) noexcept override
	{
		for (std::size_t i = 0; i < size; i++) {
			const auto at = words.find((from + i) & ~7ull);
			const std::uint64_t w = at == words.end() ? 0 :
			    at->second;
			static_cast<unsigned char *>(to)[i] =
			    static_cast<unsigned char>(w >> (from + i) % 8 * 8);
		}
		return true;
	}
	void prefetch(std::span<const range>) noexcept override {}
};

// A dict of 3.10 with so many places, and one entry at the first of them.
made_memory
dict_of(std::uint64_t places)
{
	constexpr std::uint64_t keys = dict + 32;
	made_memory m;
	m.words[keys] = table;
	m.words[table + 8] = places;
	m.words[table + 32] = 1;	// entry
	// Its index is 0, as are all that follow.
	m.words[table + 40 + places] = 9;
	m.words[table + 40 + places + 8] = 0x30000;
	m.words[table + 40 + places + 16] = 0x40000;
	return m;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_table_without_places_has_nothing,
    *boost::unit_test::description("ISSUE: hostile heaps (cycles, wild "
    "pointers, huge lengths): bounded"))
{
	layout l{};
	l.minor = 10;
	made_memory m = dict_of(8);
	BOOST_TEST(value_of(m, l, dict, std::uint64_t{9}) == 0x40000u);
	for (const std::uint64_t places : {std::uint64_t{0}, ~std::uint64_t{0},
	    std::uint64_t{1} << 63}) {
		made_memory none = dict_of(places);
		BOOST_TEST(value_of(none, l, dict, std::uint64_t{9}) == 0u);
	}
}

BOOST_AUTO_TEST_SUITE_END()
