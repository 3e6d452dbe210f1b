// Tests drains: what they are offered, and what comes of their answers.
//
// SPDX-License-Identifier: BSD-2-Clause
#define STACK9_KERNEL_FORMATS

#include <boost/test/unit_test.hpp>

#include <cerrno>

#include "model.h"
#include "stubs.h"

using boost::unit_test::description;
using namespace stack9_test;

namespace {

template <int size>
struct drained : fixture<size> {
	tap	t;

	explicit drained(std::vector<int> plan = {}, int flags = SBUF_FIXEDLEN)
	    : fixture<size>(flags), t{std::move(plan), {}}
	{
		sbuf_set_drain(&this->s, tap::drain, &t);
	}

	std::string
	all() const
	{
		std::string text;
		for (const std::string &part : t.offered)
			text += part;
		return text;
	}
};

const char line[] =
    "#17 0xffffffff81234567 at a_function_with_a_long_name+0x123";

} // namespace

BOOST_AUTO_TEST_SUITE(sbuf_drains)

BOOST_AUTO_TEST_CASE(thirty_two_bytes_print_any_line,
    *description("Text of any length goes through storage of any size: with "
	"32 bytes a drain sees 31 at a time"))
{
	drained<32> f;
	BOOST_TEST(sbuf_printf(&f.s, "#%d %p at %s+%#lx\n", 17,
	    reinterpret_cast<void *>(0xffffffff81234567),
	    "a_function_with_a_long_name", 0x123UL) == 0);
	BOOST_TEST(f.t.offered.size() == 1U);
	BOOST_TEST(f.t.offered[0] == std::string(line, 31));
	BOOST_TEST(sbuf_finish(&f.s) == 0);
	BOOST_TEST(f.t.offered.size() == 2U);
	BOOST_TEST(f.all() == line + std::string("\n"));
	BOOST_TEST(f.whole());
}

BOOST_AUTO_TEST_CASE(two_bytes_drain_every_byte,
    *description("with 2 bytes one at a time"))
{
	drained<2> f;
	sbuf_printf(&f.s, "%s", "abc");
	sbuf_finish(&f.s);
	const std::vector<std::string> wanted{"a", "b", "c"};
	BOOST_TEST(f.t.offered == wanted, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(one_piece_may_be_longer_than_the_storage,
    *description("and for every piece that it formats"))
{
	drained<4> f;
	sbuf_printf(&f.s, "%20d|%s|%-10x|%6D", 5, "longer than four", 10,
	    "\1\2\3\4\5\6", "::");
	BOOST_TEST(sbuf_finish(&f.s) == 0);
	BOOST_TEST(f.all() == std::string(19, ' ') +
	    "5|longer than four|a         |01::02::03::04::05::06");
}

BOOST_AUTO_TEST_CASE(not_drained_before_it_is_full,
    *description("when it is full and more text is to come, func is called"))
{
	drained<8> f;
	sbuf_cat(&f.s, "1234567");
	BOOST_TEST(f.t.offered.empty());
	BOOST_TEST(sbuf_len(&f.s) == 7);
	sbuf_putc(&f.s, '8');
	BOOST_TEST(f.all() == "1234567");
	BOOST_TEST(sbuf_len(&f.s) == 1);	// what has not been drained
}

BOOST_AUTO_TEST_CASE(never_grows_with_a_drain,
    *description("From then on the storage never grows"))
{
	drained<8> f({}, SBUF_AUTOEXTEND);
	allocations = 0;
	sbuf_printf(&f.s, "%100s", "x");
	sbuf_finish(&f.s);
	BOOST_TEST(allocations == 0);
	BOOST_TEST(f.s.s_buf == f.buf);
	BOOST_TEST(f.all().size() == 100U);
}

BOOST_AUTO_TEST_CASE(what_is_not_taken_stays,
    *description("func returns how many bytes it took, at least 1; the bytes "
    "that it did not take stay."))
{
	drained<8> f({3, 1, 7});
	sbuf_cat(&f.s, "abcdefghijk");
	BOOST_TEST(sbuf_finish(&f.s) == 0);
	const std::vector<std::string> wanted{"abcdefg", "defghij", "efghijk"};
	BOOST_TEST(f.t.offered == wanted, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_drain_that_takes_nothing_is_a_deadlock,
    *description("EDEADLK: the drain took nothing"))
{
	drained<4> f({0});
	BOOST_TEST(sbuf_cat(&f.s, "1234") == -1);
	BOOST_TEST(sbuf_error(&f.s) == EDEADLK);
	sbuf_cat(&f.s, "more");
	BOOST_TEST(sbuf_finish(&f.s) == EDEADLK);
	BOOST_TEST(f.t.offered.size() == 1U);	// not asked again
}

BOOST_AUTO_TEST_CASE(a_drains_negative_value_is_the_error,
    *description("A negative value is an error number, negated, and becomes "
	"the sbuf's error."))
{
	drained<4> f({2, -EPIPE});
	BOOST_TEST(sbuf_cat(&f.s, "123456") == -1);
	BOOST_TEST(sbuf_error(&f.s) == EPIPE);
	BOOST_TEST(sbuf_finish(&f.s) == EPIPE);
}

BOOST_AUTO_TEST_CASE(a_drain_may_fail_in_finish_alone,
    *description("sbuf_finish() calls it too, until no text is left"))
{
	drained<8> f({-EIO});
	BOOST_TEST(sbuf_cat(&f.s, "abc") == 0);
	BOOST_TEST(sbuf_finish(&f.s) == EIO);
	drained<8> g({1});
	sbuf_cat(&g.s, "abc");
	BOOST_TEST(sbuf_finish(&g.s) == 0);
	BOOST_TEST(g.t.offered.size() == 3U);
}

BOOST_AUTO_TEST_CASE(claiming_too_much_is_taking_all,
    *description("a drain that claims more bytes than it was given counts as "
    "one that took all of them"))
{
	drained<8> f({1000});
	sbuf_cat(&f.s, "abcdefghij");
	BOOST_TEST(sbuf_finish(&f.s) == 0);
	BOOST_TEST(f.all() == "abcdefghij");
}

BOOST_AUTO_TEST_CASE(includenul_reaches_the_drain,
    *description("and for the drain, which gets it at the end"))
{
	drained<4> f({}, SBUF_INCLUDENUL);
	sbuf_cat(&f.s, "abc");
	BOOST_TEST(sbuf_finish(&f.s) == 0);
	BOOST_TEST(f.all() == std::string("abc\0", 4));
	BOOST_TEST(f.whole());
}

BOOST_AUTO_TEST_CASE(nl_terminate_remembers_what_was_drained,
    *description("Earlier text counts even if it has been drained."))
{
	drained<4> f;
	sbuf_cat(&f.s, "abc");
	sbuf_drain(&f.s);
	BOOST_TEST(sbuf_len(&f.s) == 0);
	sbuf_nl_terminate(&f.s);
	BOOST_TEST(sbuf_len(&f.s) == 1);
	sbuf_drain(&f.s);
	sbuf_nl_terminate(&f.s);
	BOOST_TEST(sbuf_len(&f.s) == 0);
	BOOST_TEST(f.all() == "abc\n");
}

BOOST_AUTO_TEST_CASE(sbuf_drain_calls_it_once,
    *description("sbuf_drain() calls the drain once, if there is a drain, any "
    "text to drain, and no error."))
{
	drained<8> f({2, -EIO});
	BOOST_TEST(sbuf_drain(&f.s) == 0);	// nothing there
	sbuf_cat(&f.s, "abcd");
	BOOST_TEST(sbuf_drain(&f.s) == 0);
	BOOST_TEST(sbuf_len(&f.s) == 2);
	BOOST_TEST(sbuf_drain(&f.s) == EIO);
	BOOST_TEST(sbuf_drain(&f.s) == EIO);
	BOOST_TEST(f.t.offered.size() == 2U);
	fixture<8> plain;
	sbuf_cat(&plain.s, "abcd");
	BOOST_TEST(sbuf_drain(&plain.s) == 0);
	BOOST_TEST(sbuf_len(&plain.s) == 4);
}

BOOST_AUTO_TEST_CASE(a_drained_sbuf_can_be_cleared_and_read,
    *description("work on an sbuf with a drain and see the text that is not "
    "drained yet"))
{
	drained<8> f;
	sbuf_cat(&f.s, "abcdefgh ");
	BOOST_TEST(sbuf_data(&f.s) == std::string("h "));
	BOOST_TEST(sbuf_trim(&f.s) == 0);
	BOOST_TEST(sbuf_len(&f.s) == 1);
	sbuf_clear(&f.s);
	BOOST_TEST(sbuf_cat(&f.s, "new") == 0);
	BOOST_TEST(sbuf_finish(&f.s) == 0);
	BOOST_TEST(f.all() == "abcdefgnew");
	BOOST_TEST(sbuf_data(&f.s) == std::string());
	sbuf_clear(&f.s);	// as xen's debug.c does between reports
	sbuf_cat(&f.s, "again");
	BOOST_TEST(sbuf_finish(&f.s) == 0);
	BOOST_TEST(f.all() == "abcdefgnewagain");
}

BOOST_AUTO_TEST_CASE(count_drain_counts,
    *description("sbuf_count_drain() drops the text and adds its length to the "
	"size_t at arg"))
{
	std::size_t n = 1;
	fixture<8> f;
	sbuf_set_drain(&f.s, sbuf_count_drain, &n);
	sbuf_printf(&f.s, "%1000s", "");
	BOOST_TEST(sbuf_finish(&f.s) == 0);
	BOOST_TEST(n == 1001U);
}

BOOST_AUTO_TEST_CASE(printf_drain_prints_and_counts,
    *description("sbuf_printf_drain() prints the text where stack_print(9) "
    "prints, up to a NUL if the text has one. It adds the length of the text"))
{
	for (const bool counted : {false, true}) {
		std::size_t n = 0;
		fixture<8> f(SBUF_INCLUDENUL);
		printed.clear();
		sbuf_set_drain(&f.s, sbuf_printf_drain, counted ? &n : nullptr);
		sbuf_cat(&f.s, "longer than eight");
		BOOST_TEST(sbuf_finish(&f.s) == 0);
		BOOST_TEST(printed == "longer than eight");
		BOOST_TEST(n == (counted ? 18U : 0U));
	}
}

BOOST_AUTO_TEST_SUITE_END()
