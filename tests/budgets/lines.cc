// Tests debug information that claims gigabytes, or refers to the same things
// again and again.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include "hostile.h"

using boost::unit_test::description;

namespace {

// Abbreviations: a unit, a function with ranges, a namespace, a type.
enum : char { unit = 1, function, space, type };

blob
abbreviations()
{
	blob b;
	b += std::string("\x01\x11\x01\x11\x01\x12\x07\0\0", 9);
	b += std::string("\x02\x2e\x00\x55\x17\0\0", 7);
	b += std::string("\x03\x39\x01\0\0", 5);
	b += std::string("\x04\x24\x00\0\0", 5);
	b += '\0';
	return b;
}

// One unit of DWARF 4 with these entries.
blob
unit_of(const std::string &entries)
{
	blob b;
	b.number(static_cast<std::uint32_t>(7 + 17 + entries.size() + 1));
	b.number<std::uint16_t>(4).number<std::uint32_t>(0);
	b += '\x08';
	b += unit;
	b.number<std::uint64_t>(code_at).number<std::uint64_t>(1 << 20);
	b += entries;
	b += '\0';
	return b;
}

elf_builder
with_info(made_section info)
{
	elf_builder e;
	e.add(code_section());
	e.add({".debug_abbrev", SHT_PROGBITS, abbreviations()});
	return e.add(std::move(info));
}

} // namespace

BOOST_AUTO_TEST_SUITE(lines, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(a_hole_is_no_debug_information, *description(
    "A file's debug information may have 4 GiB."))
{
	const counted left(left_out::debug_sections);
	hostile h(with_info({".debug_info", SHT_PROGBITS, unit_of(""), 0,
	    3 * GiB}));
	for (int n = 0; n < 10; n++)
		BOOST_TEST(h.line(code_at) == "");
	BOOST_TEST(left.now() == 1u);
	h.is_cheap();
}

BOOST_AUTO_TEST_CASE(a_compressed_section_is_no_bomb, *description(
    "A compressed section may become 32 times as large."))
{
	const counted left(left_out::debug_sections);
	hostile h(with_info({".debug_info", SHT_PROGBITS, packed(unit_of(
	    std::string(64 * MiB, type))), 0, 0, SHF_COMPRESSED}));
	BOOST_TEST(h.line(code_at) == "");
	BOOST_TEST(left.now() == 1u);
	h.is_cheap();
}

// 20,000 functions that all have the same 4,000 ranges: 2 GB.
BOOST_AUTO_TEST_CASE(ranges_are_not_kept_without_end)
{
	blob ranges, entries;
	for (std::uint64_t n = 0; n < 4000; n++)
		ranges.number<std::uint64_t>(n * 16).number<std::uint64_t>(
		    n * 16 + 8);
	ranges.number<std::uint64_t>(0).number<std::uint64_t>(0);
	for (int n = 0; n < 20000; n++) {
		entries += function;
		entries.number<std::uint32_t>(0);
	}
	elf_builder e = with_info({".debug_info", SHT_PROGBITS,
	    unit_of(entries)});
	e.add({".debug_ranges", SHT_PROGBITS, ranges});
	hostile h(e);
	h.line(code_at + 4);
	h.line(code_at + 12);
	BOOST_TEST(h.since.memory() < 32 * MiB);
}

// To find the next sibling of a namespace, all that is in it is passed.
BOOST_AUTO_TEST_CASE(time_ends, *description(
    "A file's debug information may take 0.2 s of CPU time, and 120 ns more "
    "for each of its bytes."))
{
	const counted left(left_out::debug_time);
	std::string entries(250, space);
	entries += std::string(1 << 21, type) + std::string(250, '\0');
	hostile h(with_info({".debug_info", SHT_PROGBITS, unit_of(entries)}));
	for (std::uint64_t n = 0; n < 1000; n++)
		h.line(code_at + n);
	BOOST_TEST(left.now() >= 999u);
}

BOOST_AUTO_TEST_SUITE_END()
