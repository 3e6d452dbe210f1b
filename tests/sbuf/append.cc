// Tests appending, replacing, cutting, and what happens when there is no room.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <clocale>
#include <cstring>

#include "stubs.h"

using boost::unit_test::description;
using namespace stack9_test;

BOOST_AUTO_TEST_SUITE(sbuf_append)

BOOST_AUTO_TEST_CASE(appends_go_one_behind_the_other,
    *description("sbuf_bcat() appends len bytes, sbuf_cat() a string, "
	"sbuf_putc() one byte"))
{
	fixture<32> f;
	BOOST_TEST(sbuf_cat(&f.s, "one ") == 0);
	BOOST_TEST(sbuf_bcat(&f.s, "two three", 4) == 0);
	BOOST_TEST(sbuf_putc(&f.s, '3') == 0);
	BOOST_TEST(sbuf_printf(&f.s, " %d", 4) == 0);
	BOOST_TEST(f.finished() == "one two 3 4");
	BOOST_TEST(sbuf_len(&f.s) == 11);
}

BOOST_AUTO_TEST_CASE(bcat_and_putc_take_nul_bytes,
    *description("sbuf_bcat() appends len bytes"))
{
	fixture<8> f;
	sbuf_bcat(&f.s, "a\0b", 3);
	sbuf_putc(&f.s, 0);
	BOOST_TEST(sbuf_len(&f.s) == 4);
	BOOST_TEST(std::memcmp(sbuf_data(&f.s), "a\0b\0", 5) == 0);
}

BOOST_AUTO_TEST_CASE(overflow_keeps_what_fits,
    *description("Otherwise as much text as fits is kept and the error is "
    "ENOMEM."))
{
	fixture<8> f;
	BOOST_TEST(sbuf_cat(&f.s, "123456789") == -1);
	BOOST_TEST(sbuf_error(&f.s) == ENOMEM);
	BOOST_TEST(f.finished() == "1234567");
	BOOST_TEST(sbuf_finish(&f.s) == ENOMEM);
	BOOST_TEST(f.whole());
}

BOOST_AUTO_TEST_CASE(full_to_the_last_byte_is_no_overflow,
    *description("a size of length bytes, the final NUL included"))
{
	fixture<8> f;
	BOOST_TEST(sbuf_cat(&f.s, "1234567") == 0);
	BOOST_TEST(sbuf_cat(&f.s, "") == 0);
	BOOST_TEST(f.finished() == "1234567");
	BOOST_TEST(sbuf_finish(&f.s) == 0);
}

BOOST_AUTO_TEST_CASE(overflow_in_printf_keeps_what_fits,
    *description("as much text as fits is kept: of a formatted piece too"))
{
	fixture<8> f;
	BOOST_TEST(sbuf_printf(&f.s, "ab%d", 1234567890) == -1);
	BOOST_TEST(f.finished() == "ab12345");
	BOOST_TEST(f.whole());
}

BOOST_AUTO_TEST_CASE(the_first_error_sticks,
    *description("The first error is kept, and later calls then do nothing"))
{
	fixture<4> f;
	sbuf_cat(&f.s, "12345");
	BOOST_TEST(sbuf_cat(&f.s, "") == -1);
	BOOST_TEST(sbuf_putc(&f.s, 'x') == -1);
	BOOST_TEST(sbuf_bcat(&f.s, "x", 1) == -1);
	BOOST_TEST(sbuf_printf(&f.s, "x") == -1);
	BOOST_TEST(sbuf_nl_terminate(&f.s) == -1);
	BOOST_TEST(sbuf_trim(&f.s) == -1);
	BOOST_TEST(sbuf_setpos(&f.s, 1) == 0);	// and the error stays
	BOOST_TEST(sbuf_putc(&f.s, 'x') == -1);
	BOOST_TEST(sbuf_len(&f.s) == -1);
	BOOST_TEST(f.finished() == "1");
	BOOST_TEST(sbuf_error(&f.s) == ENOMEM);
}

BOOST_AUTO_TEST_CASE(clear_begins_anew,
    *description("sbuf_clear() makes the sbuf empty, not finished and without "
	"error."))
{
	fixture<4> f;
	sbuf_cat(&f.s, "12345");
	sbuf_finish(&f.s);
	sbuf_clear(&f.s);
	BOOST_TEST(sbuf_error(&f.s) == 0);
	BOOST_TEST(sbuf_done(&f.s) == 0);
	BOOST_TEST(sbuf_len(&f.s) == 0);
	BOOST_TEST(sbuf_cat(&f.s, "new") == 0);
	BOOST_TEST(f.finished() == "new");
}

BOOST_AUTO_TEST_CASE(cpy_and_bcpy_replace,
    *description("do what sbuf_clear() followed by sbuf_bcat() or sbuf_cat() "
	"does"))
{
	fixture<8> f;
	sbuf_cat(&f.s, "too long by far");
	BOOST_TEST(sbuf_cpy(&f.s, "fits") == 0);
	BOOST_TEST(f.finished() == "fits");
	BOOST_TEST(sbuf_bcpy(&f.s, "reopened", 3) == 0);
	BOOST_TEST(f.finished() == "reo");
	BOOST_TEST(sbuf_cpy(&f.s, "too long again") == -1);
}

BOOST_AUTO_TEST_CASE(setpos_only_cuts,
    *description("sbuf_setpos() cuts the text to its first pos bytes; it never "
    "makes the text longer, never clears an error"))
{
	fixture<8> f;
	sbuf_cat(&f.s, "123456");
	BOOST_TEST(sbuf_setpos(&f.s, 7) == -1);
	BOOST_TEST(sbuf_setpos(&f.s, -1) == -1);
	BOOST_TEST(sbuf_setpos(&f.s, 6) == 0);
	BOOST_TEST(sbuf_setpos(&f.s, 2) == 0);
	sbuf_cat(&f.s, "x");
	BOOST_TEST(f.finished() == "12x");
}

BOOST_AUTO_TEST_CASE(trim_removes_blanks_of_the_c_locale,
    *description("removes blanks, tabs, newlines, vertical tabs, form feeds "
	"and carriage returns from the end"))
{
	fixture<32> f;
	sbuf_cat(&f.s, " a b\240 \t\n\v\f\r ");
	BOOST_TEST(sbuf_trim(&f.s) == 0);
	BOOST_TEST(f.finished() == " a b\240");
	sbuf_cpy(&f.s, " \n ");
	BOOST_TEST(sbuf_trim(&f.s) == 0);
	BOOST_TEST(sbuf_len(&f.s) == 0);
}

BOOST_AUTO_TEST_CASE(nl_terminate_adds_at_most_one_newline,
    *description("a newline unless the text ends with one already or nothing "
	"has been written yet"))
{
	fixture<8> f;
	BOOST_TEST(sbuf_nl_terminate(&f.s) == 0);
	BOOST_TEST(sbuf_len(&f.s) == 0);
	sbuf_cat(&f.s, "a");
	sbuf_nl_terminate(&f.s);
	sbuf_nl_terminate(&f.s);
	BOOST_TEST(f.finished() == "a\n");
}

BOOST_AUTO_TEST_CASE(errno_is_not_touched,
    *description("they do not set errno"))
{
	fixture<4> f;
	errno = E2BIG;
	sbuf_printf(&f.s, "too long");
	sbuf_finish(&f.s);
	BOOST_TEST(errno == E2BIG);
}

BOOST_AUTO_TEST_SUITE_END()
