// Tests sbuf_hexdump() and sbuf_putbuf().
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include "stubs.h"

using boost::unit_test::description;
using namespace stack9_test;

namespace {

std::string
dump(const std::string &bytes, const char *hdr, int flags)
{
	struct sbuf *const s = sbuf_new_auto();
	sbuf_hexdump(s, bytes.data(), static_cast<int>(bytes.size()), hdr,
	    flags);
	sbuf_finish(s);
	const std::string text = sbuf_data(s);
	sbuf_delete(s);
	return text;
}

} // namespace

BOOST_AUTO_TEST_SUITE(sbuf_print)

BOOST_AUTO_TEST_CASE(hexdump_has_three_parts,
    *description("the offset in hexadecimal, the bytes in hexadecimal, and "
    "between bars the bytes as characters, with a dot for each byte that does "
    "not print"))
{
	BOOST_TEST(dump("0123456789 \n~\x7f\xff!rest", nullptr, 0) ==
	    "0000   30 31 32 33 34 35 36 37 38 39 20 0a 7e 7f ff 21"
	    "  |0123456789 .~..!|\n"
	    "0010   72 65 73 74                                    "
	    "  |rest            |\n");
	BOOST_TEST(dump("", "h", 0) == "");
}

BOOST_AUTO_TEST_CASE(hexdump_obeys_header_and_flags,
    *description("Each line begins with hdr; HD_COLUMN_MASK, HD_DELIM_MASK, "
	"HD_OMIT_COUNT, HD_OMIT_HEX and HD_OMIT_CHARS"))
{
	BOOST_TEST(dump("abcde", "> ", 4 | ':' << 8) ==
	    "> 0000  :61:62:63:64  |abcd|\n"
	    "> 0004  :65           |e   |\n");
	BOOST_TEST(dump("ab", "", 2 | HD_OMIT_COUNT) == " 61 62  |ab|\n");
	BOOST_TEST(dump("ab", "", 2 | HD_OMIT_HEX) == "0000    |ab|\n");
	BOOST_TEST(dump("ab", "", 2 | HD_OMIT_CHARS) == "0000   61 62\n");
}

BOOST_AUTO_TEST_CASE(hexdump_goes_through_a_drain,
    *description("Text of any length goes through storage of any size"))
{
	std::size_t n = 0;
	fixture<4> f;
	sbuf_set_drain(&f.s, sbuf_count_drain, &n);
	sbuf_hexdump(&f.s, "0123456789abcdef", 16, nullptr, 0);
	BOOST_TEST(sbuf_finish(&f.s) == 0);
	BOOST_TEST(n == 75U);
}

BOOST_AUTO_TEST_CASE(putbuf_prints_and_changes_nothing,
    *description("sbuf_putbuf() prints the text, up to a NUL, and changes "
    "nothing"))
{
	fixture<16> f(SBUF_INCLUDENUL);
	sbuf_cat(&f.s, "a line\n");
	sbuf_finish(&f.s);
	printed.clear();
	sbuf_putbuf(&f.s);
	sbuf_putbuf(&f.s);
	BOOST_TEST(printed == "a line\na line\n");
	BOOST_TEST(sbuf_len(&f.s) == 8);
}

BOOST_AUTO_TEST_SUITE_END()
