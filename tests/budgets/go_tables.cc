// Tests tables of Go that claim millions of functions.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include "languages/go.h"

#include "hostile.h"

namespace {

// The header of a table of Go 1.20 with so many functions, whose addresses are
// at that offset.
blob
table(std::uint64_t functions, std::uint64_t at)
{
	blob b;
	b.number<std::uint32_t>(0xfffffff1).number<std::uint32_t>(0x08010000);
	b.number(functions).number<std::uint64_t>(0);
	b.number(code_at);
	for (int n = 0; n < 4; n++)
		b.number<std::uint64_t>(16);
	b.number(at);
	return b;
}

bool
has_name(stack9::process::file &f)
{
	std::string name;
	std::uint64_t start, size;
	return stack9::languages::go_name(f, code_at, name, start, size);
}

} // namespace

BOOST_AUTO_TEST_SUITE(go_tables, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(functions_in_a_hole)
{
	const counted left(left_out::go_tables);
	elf_builder e;
	e.add(code_section());
	e.add({".gopclntab", SHT_PROGBITS, table(4'000'000, 4 * KiB), 0x2000,
	    1 * GiB});
	hostile h(e);
	BOOST_TEST(!has_name(*h.file));
	BOOST_TEST(left.now() == 1u);
	h.is_cheap();
}

BOOST_AUTO_TEST_CASE(more_functions_than_there_are)
{
	const counted left(left_out::go_tables);
	elf_builder e;
	e.add(code_section());
	e.add({".gopclntab", SHT_PROGBITS, table(1ull << 40, 0), 0x2000});
	hostile h(e);
	BOOST_TEST(!has_name(*h.file));
	BOOST_TEST(left.now() == 1u);
}

BOOST_AUTO_TEST_CASE(relocations_in_a_hole)
{
	const counted left(left_out::go_tables);
	elf_builder e;
	e.add(code_section());
	e.add({".gopclntab", SHT_PROGBITS, table(1, 64), 0x2000});
	e.add({".rela.dyn", SHT_RELA, "", 0, 3 * GiB, 0, "", 24});
	hostile h(e);
	BOOST_TEST(!has_name(*h.file));
	BOOST_TEST(left.now() == 1u);
	h.is_cheap();
}

BOOST_AUTO_TEST_SUITE_END()
