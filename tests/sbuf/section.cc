// Tests sections, padding, records.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>

#include "model.h"
#include "stubs.h"

using boost::unit_test::description;
using namespace stack9_test;

BOOST_AUTO_TEST_SUITE(sbuf_sections)

BOOST_AUTO_TEST_CASE(a_section_is_padded,
    *description("If the length of the section is not a multiple of pad, bytes "
    "c are appended until it is"))
{
	fixture<64> f;
	sbuf_cat(&f.s, "x");
	sbuf_start_section(&f.s, nullptr);
	sbuf_cat(&f.s, "abcde");
	BOOST_TEST(sbuf_end_section(&f.s, -1, 4, '.') == 8);
	sbuf_start_section(&f.s, nullptr);
	sbuf_cat(&f.s, "abcd");
	BOOST_TEST(sbuf_end_section(&f.s, -1, 4, '.') == 4);
	sbuf_start_section(&f.s, nullptr);
	BOOST_TEST(sbuf_end_section(&f.s, -1, 4, '.') == 0);
	BOOST_TEST(f.finished() == "xabcde...abcd");
}

BOOST_AUTO_TEST_CASE(pad_0_and_1_add_nothing,
    *description("A pad of 0 or 1 adds nothing."))
{
	for (std::size_t pad : {0, 1}) {
		fixture<8> f;
		sbuf_start_section(&f.s, nullptr);
		sbuf_cat(&f.s, "abc");
		BOOST_TEST(sbuf_end_section(&f.s, -1, pad, '.') == 3);
		BOOST_TEST(f.finished() == "abc");
	}
}

BOOST_AUTO_TEST_CASE(sections_nest,
    *description("sbuf_start_section() stores the length of the section around "
	"the new one, or -1 if there is none"))
{
	ssize_t outer, inner;
	fixture<64> f;
	sbuf_start_section(&f.s, &outer);
	BOOST_TEST(outer == -1);
	sbuf_cat(&f.s, "head");
	sbuf_start_section(&f.s, &inner);
	BOOST_TEST(inner == 4);
	sbuf_cat(&f.s, "abc");
	BOOST_TEST(sbuf_end_section(&f.s, inner, 2, '.') == 4);
	sbuf_cat(&f.s, "!");
	BOOST_TEST(sbuf_end_section(&f.s, outer, 5, '_') == 10);
	BOOST_TEST(f.finished() == "headabc.!_");
}

BOOST_AUTO_TEST_CASE(null_inside_a_section_starts_nothing,
    *description("Inside a section, NULL starts no section: the open section "
    "continues."))
{
	fixture<64> f;
	sbuf_start_section(&f.s, nullptr);
	sbuf_cat(&f.s, "ab");
	sbuf_start_section(&f.s, nullptr);
	sbuf_cat(&f.s, "cd");
	BOOST_TEST(sbuf_end_section(&f.s, -1, 0, 0) == 4);
	BOOST_TEST(sbuf_end_section(&f.s, -1, 0, 0) == -1);
}

BOOST_AUTO_TEST_CASE(ending_too_often_is_an_error,
    *description("or -1 if the sbuf has an error, is finished, or is not in a "
	"section"))
{
	fixture<8> f;
	BOOST_TEST(sbuf_end_section(&f.s, -1, 4, '.') == -1);
	BOOST_TEST(sbuf_len(&f.s) == 0);
	sbuf_start_section(&f.s, nullptr);
	sbuf_cat(&f.s, "abcde");
	BOOST_TEST(sbuf_end_section(&f.s, -1, 16, '.') == -1);	// no room
	BOOST_TEST(sbuf_error(&f.s) == ENOMEM);
	sbuf_clear(&f.s);
	sbuf_start_section(&f.s, nullptr);
	sbuf_finish(&f.s);
	BOOST_TEST(sbuf_end_section(&f.s, -1, 4, '.') == -1);
}

BOOST_AUTO_TEST_CASE(the_length_counts_what_was_drained,
    *description("the length of the section and its padding, drained or not"))
{
	std::size_t n = 0;
	fixture<4> f;
	sbuf_set_drain(&f.s, sbuf_count_drain, &n);
	sbuf_start_section(&f.s, nullptr);
	sbuf_printf(&f.s, "%s", "abcdefghij");
	BOOST_TEST(sbuf_end_section(&f.s, -1, 8, '.') == 16);
	sbuf_finish(&f.s);
	BOOST_TEST(n == 16U);
}

BOOST_AUTO_TEST_CASE(trim_shortens_the_section,
    *description("sbuf_trim() removes blanks; sbuf_end_section() returns the "
	"length of the section"))
{
	fixture<16> f;
	sbuf_start_section(&f.s, nullptr);
	sbuf_cat(&f.s, "abc  ");
	sbuf_trim(&f.s);
	BOOST_TEST(sbuf_end_section(&f.s, -1, 0, 0) == 3);
}

BOOST_AUTO_TEST_CASE(setpos_fails_in_a_section,
    *description("sbuf_setpos() fails inside a section"))
{
	fixture<16> f;
	sbuf_cat(&f.s, "abc");
	sbuf_start_section(&f.s, nullptr);
	BOOST_TEST(sbuf_setpos(&f.s, 1) == -1);
	sbuf_end_section(&f.s, -1, 0, 0);
	BOOST_TEST(sbuf_setpos(&f.s, 1) == 0);
}

BOOST_AUTO_TEST_CASE(an_open_record_is_not_drained,
    *description("An outermost section is a record: the drain never gets a "
	"part of one that is still open."))
{
	tap t;
	fixture<16> f(SBUF_DRAINTOEOR);
	sbuf_set_drain(&f.s, tap::drain, &t);
	for (const char *text : {"record 1;", "record 2;", "record 3;"}) {
		ssize_t inner;
		sbuf_start_section(&f.s, nullptr);
		sbuf_start_section(&f.s, &inner);	// starts no record
		sbuf_cat(&f.s, text);
		sbuf_end_section(&f.s, inner, 0, 0);
		sbuf_end_section(&f.s, -1, 0, 0);
	}
	BOOST_TEST(sbuf_finish(&f.s) == 0);
	const std::vector<std::string> wanted{"record 1;", "record 2;",
	    "record 3;"};
	BOOST_TEST(t.offered == wanted, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_record_longer_than_the_storage_is_an_error,
    *description("A record that fills the whole storage is an error, EDEADLK."))
{
	tap t;
	fixture<8> f(SBUF_DRAINTOEOR);
	sbuf_set_drain(&f.s, tap::drain, &t);
	sbuf_cat(&f.s, "ab");
	sbuf_start_section(&f.s, nullptr);
	BOOST_TEST(sbuf_cat(&f.s, "1234567") == 0);
	BOOST_TEST(sbuf_cat(&f.s, "8") == -1);
	BOOST_TEST(sbuf_finish(&f.s) == EDEADLK);
	BOOST_TEST(t.offered.size() == 1U);
	BOOST_TEST(t.offered[0] == "ab");
}

BOOST_AUTO_TEST_SUITE_END()
