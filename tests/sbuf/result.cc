// Tests sbuf_finish() and what can be asked of an sbuf.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>

#include "stubs.h"

using boost::unit_test::description;
using namespace stack9_test;

BOOST_AUTO_TEST_SUITE(sbuf_result)

BOOST_AUTO_TEST_CASE(finish_returns_the_error_itself,
    *description("sbuf_finish() return 0 or the sbuf's error as a positive "
    "number; they do not set errno."))
{
	fixture<4> f;
	errno = 0;
	sbuf_cat(&f.s, "1234");
	BOOST_TEST(sbuf_finish(&f.s) == ENOMEM);
	BOOST_TEST(errno == 0);
	fixture<4> g;
	BOOST_TEST(sbuf_finish(&g.s) == 0);
}

BOOST_AUTO_TEST_CASE(a_finished_sbuf_takes_no_more,
    *description("The appending calls, sbuf_setpos() and sbuf_trim() then "
    "return -1 and change nothing until sbuf_clear(), sbuf_bcpy() or "
    "sbuf_cpy()"))
{
	fixture<16> f;
	sbuf_cat(&f.s, "text ");
	BOOST_TEST(sbuf_done(&f.s) == 0);
	BOOST_TEST(sbuf_finish(&f.s) == 0);
	BOOST_TEST(sbuf_done(&f.s) != 0);
	BOOST_TEST(sbuf_cat(&f.s, "x") == -1);
	BOOST_TEST(sbuf_bcat(&f.s, "x", 1) == -1);
	BOOST_TEST(sbuf_putc(&f.s, 'x') == -1);
	BOOST_TEST(sbuf_printf(&f.s, "x") == -1);
	BOOST_TEST(sbuf_nl_terminate(&f.s) == -1);
	BOOST_TEST(sbuf_trim(&f.s) == -1);
	BOOST_TEST(sbuf_setpos(&f.s, 0) == -1);
	BOOST_TEST(sbuf_error(&f.s) == 0);
	BOOST_TEST(sbuf_data(&f.s) == std::string("text "));
	sbuf_clear(&f.s);
	BOOST_TEST(sbuf_cat(&f.s, "x") == 0);
}

BOOST_AUTO_TEST_CASE(finishing_twice_does_nothing_more,
    *description("Finishing twice does nothing more."))
{
	fixture<16> f(SBUF_INCLUDENUL);
	sbuf_cat(&f.s, "abc");
	BOOST_TEST(sbuf_finish(&f.s) == 0);
	BOOST_TEST(sbuf_finish(&f.s) == 0);
	BOOST_TEST(sbuf_len(&f.s) == 4);
}

BOOST_AUTO_TEST_CASE(includenul_counts_the_nul_before_and_after_finish,
    *description("one more with SBUF_INCLUDENUL"))
{
	fixture<4> f(SBUF_INCLUDENUL);
	BOOST_TEST(sbuf_len(&f.s) == 1);
	sbuf_cat(&f.s, "abc");
	BOOST_TEST(sbuf_len(&f.s) == 4);
	BOOST_TEST(sbuf_finish(&f.s) == 0);
	BOOST_TEST(sbuf_len(&f.s) == 4);
	BOOST_TEST(sbuf_data(&f.s) == std::string("abc"));
	sbuf_clear(&f.s);
	BOOST_TEST(sbuf_len(&f.s) == 1);
	BOOST_TEST(f.whole());
}

BOOST_AUTO_TEST_CASE(len_is_minus_one_after_an_error,
    *description("or -1 if the sbuf has an error"))
{
	fixture<4> f;
	sbuf_cat(&f.s, "123");
	BOOST_TEST(sbuf_len(&f.s) == 3);
	sbuf_cat(&f.s, "4");
	BOOST_TEST(sbuf_len(&f.s) == -1);
	sbuf_finish(&f.s);
	BOOST_TEST(sbuf_len(&f.s) == -1);
	BOOST_TEST(sbuf_data(&f.s) == std::string("123"));
}

BOOST_AUTO_TEST_CASE(data_of_an_unfinished_sbuf_is_its_text,
    *description("sbuf_data() returns the text of an sbuf that is not "
    "finished"))
{
	fixture<8> f;
	sbuf_cat(&f.s, "abcdef");
	sbuf_setpos(&f.s, 3);
	BOOST_TEST(sbuf_data(&f.s) == std::string("abc"));
	sbuf_putc(&f.s, '!');
	BOOST_TEST(f.finished() == "abc!");
}

BOOST_AUTO_TEST_SUITE_END()
