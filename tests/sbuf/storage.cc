// Tests making, growing, clearing and deleting.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cstring>

#include "stubs.h"

using boost::unit_test::description;
using namespace stack9_test;

BOOST_AUTO_TEST_SUITE(sbuf_storage)

BOOST_AUTO_TEST_CASE(struct_is_freebsds,
    *description("struct sbuf complete in the header, 72 bytes on LP64"))
{
	BOOST_TEST(sizeof(struct sbuf) == 72U);
	BOOST_TEST(offsetof(struct sbuf, s_error) == 24U);
	BOOST_TEST(offsetof(struct sbuf, s_rec_off) == 64U);
}

BOOST_AUTO_TEST_CASE(null_struct_and_null_buf_come_from_the_heap,
    *description("If s or buf is NULL, it is allocated from the heap."))
{
	allocations = 0;
	char buf[8];
	struct sbuf s;
	BOOST_TEST(sbuf_new(&s, buf, 8, SBUF_FIXEDLEN) == &s);
	BOOST_TEST(allocations == 0);
	sbuf_delete(&s);
	struct sbuf *const heap = sbuf_new(nullptr, nullptr, 8, SBUF_FIXEDLEN);
	BOOST_REQUIRE(heap != nullptr);
	BOOST_TEST(allocations == 2);
	BOOST_TEST(sbuf_cat(heap, "1234567") == 0);
	BOOST_TEST(sbuf_cat(heap, "8") == -1);
	sbuf_delete(heap);
}

BOOST_AUTO_TEST_CASE(bad_lengths_are_refused,
    *description("sbuf_new() returns NULL if length is not allowed"))
{
	char buf[2];
	struct sbuf s;
	BOOST_TEST(sbuf_new(&s, buf, -1, SBUF_AUTOEXTEND) == nullptr);
	BOOST_TEST(sbuf_new(&s, buf, 0, SBUF_FIXEDLEN) == nullptr);
	BOOST_TEST(sbuf_new(&s, buf, 1, SBUF_FIXEDLEN) == nullptr);
	BOOST_TEST(sbuf_new(nullptr, nullptr, 1, 0) == nullptr);
	BOOST_TEST(sbuf_new(&s, buf, 2, SBUF_FIXEDLEN) == &s);
	sbuf_delete(&s);
}

BOOST_AUTO_TEST_CASE(short_buf_is_not_used,
    *description("a buf of less than 2 bytes is not used"))
{
	for (int length : {0, 1}) {
		char buf[] = {'k'};
		struct sbuf s;
		BOOST_REQUIRE(sbuf_new(&s, buf, length, SBUF_AUTOEXTEND) == &s);
		BOOST_TEST(sbuf_cat(&s, "text") == 0);
		BOOST_TEST(sbuf_finish(&s) == 0);
		BOOST_TEST(sbuf_data(&s) == std::string("text"));
		BOOST_TEST(buf[0] == 'k');
		sbuf_delete(&s);
	}
}

BOOST_AUTO_TEST_CASE(unknown_flags_are_ignored,
    *description("returns NULL for a bad length and ignores unknown flags"))
{
	char buf[8];
	struct sbuf s;
	sbuf_new(&s, buf, 8, SBUF_DYNAMIC | SBUF_FINISHED | SBUF_DYNSTRUCT);
	BOOST_TEST(sbuf_done(&s) == 0);
	BOOST_TEST(sbuf_get_flags(&s) == 0);
	sbuf_delete(&s);	// must not free buf or s
}

BOOST_AUTO_TEST_CASE(growth_is_freebsds,
    *description("in powers of two from 16 to 4096 bytes, then by 4096 bytes"))
{
	struct sbuf *const s = sbuf_new_auto();
	std::vector<ssize_t> sizes{s->s_size};
	for (int i = 0; i < 13000; i++) {
		BOOST_REQUIRE_EQUAL(sbuf_putc(s, 'x'), 0);
		if (s->s_size != sizes.back())
			sizes.push_back(s->s_size);
	}
	const std::vector<ssize_t> wanted{16, 32, 64, 128, 256, 512, 1024,
	    2048, 4096, 8192, 12288, 16384};
	BOOST_TEST(sizes == wanted, boost::test_tools::per_element());
	BOOST_TEST(sbuf_finish(s) == 0);
	BOOST_TEST(std::strlen(sbuf_data(s)) == 13000U);
	sbuf_delete(s);
}

BOOST_AUTO_TEST_CASE(callers_storage_is_left_when_it_is_too_small,
    *description("Storage that the caller provided remains the caller's"))
{
	fixture<8> f(SBUF_AUTOEXTEND);
	sbuf_cat(&f.s, "1234567");
	BOOST_TEST(f.s.s_buf == f.buf);
	sbuf_cat(&f.s, "89");
	BOOST_TEST(f.s.s_buf != f.buf);
	BOOST_TEST(f.finished() == "123456789");
	BOOST_TEST(f.whole());
}

BOOST_AUTO_TEST_CASE(delete_zeroes_the_callers_struct,
    *description("zeroes s if the caller provided it"))
{
	char buf[8];
	struct sbuf s, zero{};
	sbuf_new(&s, buf, 8, SBUF_AUTOEXTEND);
	sbuf_cat(&s, "long enough to grow");
	sbuf_delete(&s);
	BOOST_TEST(std::memcmp(&s, &zero, sizeof s) == 0);
}

BOOST_AUTO_TEST_CASE(flags_within_the_mask_can_be_read_and_changed,
    *description("sbuf_get_flags() returns those of the flags above that are "
    "set"))
{
	fixture<8> f(SBUF_INCLUDENUL);
	BOOST_TEST(sbuf_get_flags(&f.s) == SBUF_INCLUDENUL);
	sbuf_set_flags(&f.s, SBUF_AUTOEXTEND | SBUF_FINISHED);
	BOOST_TEST(sbuf_get_flags(&f.s) ==
	    (SBUF_INCLUDENUL | SBUF_AUTOEXTEND));
	BOOST_TEST(sbuf_done(&f.s) == 0);
	BOOST_TEST(sbuf_cat(&f.s, "now it grows") == 0);
	sbuf_clear_flags(&f.s, SBUF_INCLUDENUL | SBUF_DYNAMIC);
	BOOST_TEST(sbuf_get_flags(&f.s) == SBUF_AUTOEXTEND);
	BOOST_TEST((f.s.s_flags & SBUF_DYNAMIC) != 0);
}

BOOST_AUTO_TEST_SUITE_END()
