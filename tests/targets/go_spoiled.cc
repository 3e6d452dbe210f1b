// Damages Go's tables in every way that chance finds: nothing crashes, nothing
// is endless.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <random>

#include "languages/go.h"

#include "made.h"

using stack9::process::file;

namespace {

struct answers {
	int rows = 0, names = 0, lines = 0, ends = 0;
};

// All of its code, at each of so many bytes.
answers
ask(file &f, std::uint64_t step)
{
	answers a;
	std::string text;
	std::uint64_t start, size;
	unsigned int line;
	for (std::uint64_t pc = 0x400000; pc < 0x490000; pc += step) {
		stack9::unwind::row r{};
		if (stack9::languages::go_row(f, pc, r) ==
		    stack9::unwind::found::yes) {
			a.rows++;
			a.ends += r.places[r.return_column].what ==
			    stack9::unwind::place::undefined;
		}
		a.names += stack9::languages::go_name(f, pc, text, start, size);
		a.lines += stack9::languages::go_line(f, pc, text, line);
	}
	return a;
}

// The place of its table in the file: by its first words, as Go 1.18 to 1.20
// have it.
std::size_t
table_in(const std::string &bytes)
{
	for (const char first : {'\xf0', '\xf1'})
		for (std::size_t at = 0; (at = bytes.find(std::string(1, first)
		    + std::string("\xff\xff\xff\0\0\1\x08", 7), at)) !=
		    bytes.npos; at++)
			if (at % 8 == 0)
				return at;
	return bytes.npos;
}

} // namespace

BOOST_AUTO_TEST_CASE(whole_table, *built("go_stripped"))
{
	made whole(lib::contents(program("go_stripped")));
	const answers a = ask(whole.get(), 7);
	BOOST_TEST(a.rows > 50000);
	BOOST_TEST(a.names >= a.rows);
	BOOST_TEST(a.lines >= a.rows);
	BOOST_TEST(a.ends > 0);
	BOOST_TEST(a.ends < 200);
}

BOOST_AUTO_TEST_CASE(damaged_tables, *built("go_stripped") *
    boost::unit_test::description("ISSUE: damaged files are survived"))
{
	const std::string whole = lib::contents(program("go_stripped"));
	const std::size_t table = table_in(whole);
	BOOST_REQUIRE(table != whole.npos);
	std::mt19937 random(4);
	for (int n = 0; n < 60; n++) {
		std::string bytes = whole;
		// The header, the table of functions, everything, in turn.
		const std::size_t reach = n % 3 == 0 ? 96 : n % 3 == 1 ?
		    400000 : 40000;
		for (int hits = 0; hits < (n % 3 == 0 ? 4 : 2000); hits++)
			bytes[std::min(table + random() % reach,
			    bytes.size() - 1)] = static_cast<char>(random());
		if (n % 7 == 0)
			bytes.resize(table + random() % 400000);
		made spoiled(bytes);
		ask(spoiled.get(), 997);
	}
}

// Neither a header of sections nor a word of what is where.
BOOST_AUTO_TEST_CASE(no_sections, *built("go_stripped"))
{
	std::string bytes = lib::contents(program("go_stripped"));
	std::fill_n(bytes.begin() + 0x28, 8, '\0');	// e_shoff
	std::fill_n(bytes.begin() + 0x3c, 4, '\0');	// e_shnum, e_shstrndx
	made bare(bytes);
	BOOST_TEST(ask(bare.get(), 97).names > 1000);
}

BOOST_AUTO_TEST_CASE(no_go, *boost::unit_test::description(
    "a program that is not Go's has none of it"))
{
	made c(lib::contents(program("static")));
	const answers a = ask(c.get(), 97);
	BOOST_TEST(a.rows + a.names + a.lines == 0);
}
