// Tests the kernel's formats.
//
// SPDX-License-Identifier: BSD-2-Clause
#define STACK9_KERNEL_FORMATS	/* here formats are the test's subject */

#include <boost/test/unit_test.hpp>

#include <climits>
#include <cstdint>
#include <cstdio>

#include "stubs.h"

using boost::unit_test::description;
using namespace stack9_test;

#define	IS(wanted, ...)	BOOST_TEST(formatted(__VA_ARGS__) == wanted)

BOOST_AUTO_TEST_SUITE(sbuf_formats)

BOOST_AUTO_TEST_CASE(pointers,
    *description("%p of NULL is `0', and with a width %p has no `0x'."))
{
	void *const pc = reinterpret_cast<void *>(0xffffffff81abcdef);
	void *const none = nullptr;
	IS("0", "%p", none);
	IS("0xffffffff81abcdef", "%p", pc);
	IS("  ffffffff81abcdef", "%18p", pc);
	IS("0000000000000010", "%016p", reinterpret_cast<void *>(16));
	IS("    0", "%5p", none);
	IS("#4 0 at ??+0", "#%d %p at %s+%#lx", 4, none, "??", 0UL);
}

BOOST_AUTO_TEST_CASE(alternate_form,
    *description("#X gives `0x', in small letters; With #o the zero comes "
    "before the zeros of the precision"))
{
	IS("0 0 0", "%#lx %#x %#o", 0UL, 0, 0);
	IS("0xab 0xAB 017", "%#x %#X %#o", 171, 171, 15);
	IS("  0xab|0xab  |0x00ab", "%#6x|%-#6x|%#06x", 171, 171, 171);
	IS("0017", "%#.3o", 15);
}

BOOST_AUTO_TEST_CASE(extremes_of_every_size,
    *description("the sizes hh, h, l, ll, q, j, t and z"))
{
	char wanted[512];
	std::snprintf(wanted, sizeof wanted, "%d %ld %lld %jd %td %zd",
	    INT_MIN, LONG_MIN, LLONG_MIN, INTMAX_MIN, PTRDIFF_MIN, SSIZE_MAX);
	IS(wanted, "%d %ld %lld %jd %td %zd",
	    INT_MIN, LONG_MIN, LLONG_MIN, INTMAX_MIN, PTRDIFF_MIN, SSIZE_MAX);
	std::snprintf(wanted, sizeof wanted, "%x %lx %llx %jx %tx %zx",
	    -1, -1L, -1LL, UINTMAX_MAX, std::ptrdiff_t{-1}, SIZE_MAX);
	IS(wanted, "%x %lx %qx %jx %tx %zx",
	    -1, -1L, -1LL, UINTMAX_MAX, std::ptrdiff_t{-1}, SIZE_MAX);
	IS("-128 -32768 ff ffff", "%hhd %hd %hhx %hx", 0x180, 0x18000, -1, -1);
	IS("18446744073709551615 1777777777777777777777", "%ju %jo",
	    UINTMAX_MAX, UINTMAX_MAX);
	IS("-1 255 65535", "%i %hhu %hu", -1, -1, -1);
}

BOOST_AUTO_TEST_CASE(widths_and_sides,
    *description("the flags #, 0 and -, widths, precisions, *"))
{
	IS("   42|42   |00042|  -42|-0042", "%5d|%-5d|%05d|%5d|%05d",
	    42, 42, 42, -42, -42);
	IS("42   ", "%-05d", 42);
	IS("  042", "%5.3d", 42);
	IS("   42", "%*d", 5, 42);
	IS("42   ", "%*d", -5, 42);
	IS("abc|  abc|abc  |ab", "%s|%5s|%-5s|%.2s", "abc", "abc", "abc",
	    "abc");
	IS("ab", "%.*s", 2, "abc");
	IS("x|  x|x  ", "%c|%3c|%-3c", 'x', 'x', 'x');
	IS("100%", "%d%%", 100);
	IS("12345", "%2d", 12345);
}

BOOST_AUTO_TEST_CASE(a_negative_width_flips_the_side,
    *description("A negative width from * turns - off if it was on."))
{
	IS("   42", "%-*d", -5, 42);
}

BOOST_AUTO_TEST_CASE(zero_pads_text_and_beats_a_precision,
    *description("The flag 0 pads strings and characters too, and has priority "
    "over a precision."))
{
	IS("00abc|abc00|00x", "%05s|%-05s|%03c", "abc", "abc", 'x');
	IS("00042", "%05.3d", 42);
}

BOOST_AUTO_TEST_CASE(precision_zero_and_negative,
    *description("A precision of 0 still shows the number 0. A negative "
    "precision from * is 0."))
{
	IS("0|0", "%.0d|%.d", 0, 0);
	IS("|", "%.*s|", -1, "abc");
	IS("7", "%.*d", -1, 7);
	IS("|", "%.s|", "abc");
}

BOOST_AUTO_TEST_CASE(plus_shows_no_sign,
    *description("+ does not show a sign."))
{
	IS("5 -5 5", "%+d %+d %+u", 5, -5, 5);
}

BOOST_AUTO_TEST_CASE(null_string,
    *description("%s of NULL is `(null)'."))
{
	const char *const none = nullptr;
	IS("(null)|(nu|  (null)", "%s|%.3s|%8s", none, none, none);
}

BOOST_AUTO_TEST_CASE(a_precise_string_needs_no_nul,
    *description("precisions are as in printf(3)"))
{
	const char letters[] = {'a', 'b', 'c'};	// ASan watches the end
	IS("abc", "%.3s", letters);
}

BOOST_AUTO_TEST_CASE(nul_characters_are_left_out,
    *description("A NUL from %c is left out."))
{
	IS("ab", "a%cb", 0);
	IS("  b", "%3cb", 0);
}

BOOST_AUTO_TEST_CASE(n_stores_nothing,
    *description("%n takes its argument and stores nothing."))
{
	int n = 7;
	IS("ab5", "ab%n%d", &n, 5);
	BOOST_TEST(n == 7);
}

BOOST_AUTO_TEST_CASE(what_is_unknown_stays_as_written,
    *description("An unknown conversion, and all of the format after it, is "
    "copied as written."))
{
	IS("1 %-8.3f %d", "%d %-8.3f %d", 1, 2.5, 3);
	IS("% d", "% d", 1);
	IS("%'d", "%'d", 1);
	IS("%Lx", "%Lx", 1);
	IS("a%", "a%");
	IS("a%5", "a%5");
	IS("%é %d", "%é %d", 1);
}

BOOST_AUTO_TEST_CASE(null_format,
    *description("a NULL format says so, as in the kernel"))
{
	IS("(fmt null)\n", static_cast<const char *>(nullptr));
}

BOOST_AUTO_TEST_CASE(bits,
    *description("%b takes a number and a string: the base, then names of "
	"bits"))
{
	const char names[] = "\20\1RUN\2WAIT\3EXIT\40LAST";
	IS("5<RUN,EXIT>", "%b", 5, names);
	IS("2<WAIT>", "%b", 2, names);
	IS("0", "%b", 0, names);
	IS("8", "%b", 8, names);
	IS("80000000<LAST>", "%b", INT_MIN, names);
	IS("0x1<RUN>", "%#b", 1, names);
	IS("5<RUN,EXIT>  |", "%13b|", 5, names);
	IS("17<A>", "%b", 15, "\10\1A");
	IS("101<A>", "%b", 5, "\2\1A");
	IS("3<A-B,\xe9>", "%b", 3, "\20\1A-B\2\xe9");
	IS("ffffffffffffffff<RUN,WAIT,EXIT,LAST>", "%jb", UINTMAX_MAX, names);
}

BOOST_AUTO_TEST_CASE(bits_with_a_bad_base,
    *description("In %b a base outside 2 to 36 means 10"))
{
	IS("15<A>", "%b", 15, "\1\1A");
	IS("15", "%b", 15, "");
	IS("15", "%b", 15, &"\20ABC"[4]);
}

BOOST_AUTO_TEST_CASE(bytes,
    *description("%D prints bytes from the pointer on in hexadecimal, with the "
    "string between them"))
{
	const char data[] = "\0\1\x7f\x80\xfe\xff 23456789ABCDE";
	IS("00:01:7f:80:fe:ff", "%6D", data, ":");
	IS("00", "%1D", data, ":");
	IS("0001", "%*D", 2, data, "");
	IS("00 01 7f 80 fe ff 20 32 33 34 35 36 37 38 39 41", "%D", data, " ");
}

BOOST_AUTO_TEST_CASE(signed_hexadecimal,
    *description("%y is a signed number in hexadecimal."))
{
	IS("-ff ff -0xff", "%y %y %#y", -255, 255, -255);
}

BOOST_AUTO_TEST_CASE(radix,
    *description("The base is 10 here, and the number is signed with +."))
{
	IS("4294967295 -1", "%r %+r", -1, -1);
}

BOOST_AUTO_TEST_CASE(huge_widths_do_not_overflow,
    *description("widths are as in printf(3)"))
{
	fixture<8> f;	// full at once; the rest is counted, not kept
	IS("%", "%*%", INT_MIN);
	BOOST_TEST(sbuf_printf(&f.s, "%*d", 100000, 1) == -1);
	BOOST_TEST(sbuf_printf(&f.s, "%.*d", INT_MIN, 1) == -1);
	sbuf_clear(&f.s);
	BOOST_TEST(sbuf_printf(&f.s, "%.99999999999999999999s", "abc") == 0);
	BOOST_TEST(f.finished() == "abc");
}

BOOST_AUTO_TEST_SUITE_END()
