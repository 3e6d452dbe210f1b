// Tests sbufs whose memory fails, and those that take none at all.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <csignal>

#include <unistd.h>

#include "stubs.h"

using boost::unit_test::description;
using namespace stack9_test;

BOOST_AUTO_TEST_SUITE(sbuf_memory)

BOOST_AUTO_TEST_CASE(nowait_new_fails,
    *description("or if there is no memory and SBUF_NOWAIT is set"))
{
	for (int failures : {1, 2}) {
		fail_next = failures;	// the struct, or that and no storage
		naps = 0;
		BOOST_TEST(sbuf_new(nullptr, nullptr, 0,
		    SBUF_AUTOEXTEND | SBUF_NOWAIT) == nullptr);
		BOOST_TEST(naps == 0);
	}
	struct sbuf s;
	fail_next = 1;
	BOOST_TEST(sbuf_new(&s, nullptr, 8, SBUF_NOWAIT) == nullptr);
	fail_next = 0;
}

BOOST_AUTO_TEST_CASE(everything_allocated_is_freed,
    *description("frees what sbuf_new() and later growth have allocated"))
{
	const int before = live;
	work_next = 1;	// the struct comes, the storage does not
	fail_next = 1;
	BOOST_TEST(sbuf_new(nullptr, nullptr, 8, SBUF_NOWAIT) == nullptr);
	BOOST_TEST(fail_next == 0);
	BOOST_TEST(live == before);
	struct sbuf *const s = sbuf_new_auto();
	sbuf_printf(s, "%10000s", "");
	BOOST_TEST(live == before + 2);
	sbuf_delete(s);
	BOOST_TEST(live == before);
}

BOOST_AUTO_TEST_CASE(nowait_growth_failing_is_enomem,
    *description("If there is no memory, a call fails at once instead of "
    "waiting for it."))
{
	fixture<8> f(SBUF_AUTOEXTEND | SBUF_NOWAIT);
	naps = 0;
	fail_next = 1;
	BOOST_TEST(sbuf_cat(&f.s, "1234567890") == -1);
	BOOST_TEST(fail_next == 0);
	BOOST_TEST(naps == 0);
	BOOST_TEST(sbuf_error(&f.s) == ENOMEM);
	BOOST_TEST(sbuf_cat(&f.s, "x") == -1);	// latched
	BOOST_TEST(sbuf_finish(&f.s) == ENOMEM);
	BOOST_TEST(sbuf_data(&f.s) == std::string("1234567"));
	BOOST_TEST(f.whole());
}

BOOST_AUTO_TEST_CASE(without_nowait_it_waits,
    *description("it asks again every 10 milliseconds"))
{
	naps = 0;
	napped_ns = 0;
	errno = E2BIG;
	fail_next = 3;
	struct sbuf *const s = sbuf_new_auto();
	BOOST_REQUIRE(s != nullptr);
	BOOST_TEST(naps == 3);
	fail_next = 5;
	BOOST_TEST(sbuf_cat(s, "more than sixteen bytes of text") == 0);
	BOOST_TEST(naps == 8);
	BOOST_TEST(napped_ns == 80000000);
	BOOST_TEST(errno == E2BIG);
	BOOST_TEST(sbuf_finish(s) == 0);
	sbuf_delete(s);
}

BOOST_AUTO_TEST_CASE(two_gigabytes_are_the_end,
    *description("The storage never becomes longer than 2 gigabytes."))
{
	fixture<8> f(SBUF_AUTOEXTEND);	// waiting for so much would not end
	BOOST_TEST(sbuf_bcat(&f.s, f.buf, 7) == 0);
	allocations = 0;
	f.s.s_size = 0x7ffffff0;	// as if it had grown so far
	f.s.s_len = f.s.s_size - 1;
	BOOST_TEST(sbuf_bcat(&f.s, "0123456789abcdef", 16) == -1);
	BOOST_TEST(allocations == 0);
	BOOST_TEST(sbuf_error(&f.s) == ENOMEM);
	sbuf_clear(&f.s);
}

namespace {

int out[2];
int in_handler_allocations;

int
write_drain(void *arg, const char *data, int len)
{
	return static_cast<int>(write(*static_cast<int *>(arg), data,
	    static_cast<std::size_t>(len)));
}

void
handler(int)
{
	char buf[32];
	struct sbuf s;
	const int before = allocations;

	sbuf_new(&s, buf, sizeof buf, SBUF_FIXEDLEN);
	sbuf_set_drain(&s, write_drain, &out[1]);
	sbuf_printf(&s, "#%d %p at %s+%#lx\n", 3, static_cast<void *>(nullptr),
	    "a_function_in_a_handler", 16UL);
	sbuf_hexdump(&s, "abc", 3, "| ", 0);
	sbuf_finish(&s);
	sbuf_delete(&s);
	in_handler_allocations = allocations - before;
}

} // namespace

BOOST_AUTO_TEST_CASE(works_in_a_signal_handler_without_the_heap,
    *description("async-signal-safe as long as they do not allocate or free "
	"and the drain is"))
{
	BOOST_REQUIRE(pipe(out) == 0);
	struct sigaction act{}, old;
	act.sa_handler = handler;
	sigaction(SIGUSR1, &act, &old);
	raise(SIGUSR1);
	sigaction(SIGUSR1, &old, nullptr);
	close(out[1]);
	char text[256] = "";
	std::size_t n = 0;
	for (ssize_t got; (got = read(out[0], text + n, sizeof text - n)) > 0; )
		n += static_cast<std::size_t>(got);
	close(out[0]);
	BOOST_TEST(std::string(text, n) ==
	    "#3 0 at a_function_in_a_handler+0x10\n"
	    "| 0000   61 62 63                                       "
	    "  |abc             |\n");
	BOOST_TEST(in_handler_allocations == 0);
}

BOOST_AUTO_TEST_SUITE_END()
