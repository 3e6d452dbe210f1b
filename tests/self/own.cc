// Compares the calling thread's own stack with glibc's.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>

#include <signal.h>
#include <unistd.h>

#include "harness.h"
#include "malloc_count.h"

namespace bdata = boost::unit_test::data;

namespace {

// Room for all of it beforehand: it may be filled in a handler.
struct both {
	explicit both(std::uint32_t max = 256) : ours(max)
	{
		truth.reserve(512);
	}

	std::vector<std::uintptr_t>	truth;
	capture				ours;
	int				error = -1;
};

[[gnu::noinline]] void
look(both &b)
{
	const std::uintptr_t first = RETURN_ADDRESS();
	static const any_route libunwind = route_named("libunwind");
	note_truth(b.truth, first);
	b.error = b.ours.save(libunwind, {}, first);
}

[[gnu::noinline]] void
descend(int depth, both &b)
{
	if (depth > 1)
		descend(depth - 1, b);
	else
		look(b);
	asm volatile("" ::: "memory");
}

both *handlers;

void
in_handler(int)
{
	descend(3, *handlers);
}

void
check_same(const both &b)
{
	BOOST_TEST(b.error == 0);
	BOOST_TEST(b.ours.rec.why == STACK9_WHY_NONE);
	const auto ours = b.ours.frames();
	BOOST_TEST_INFO("glibc\n" << hex(b.truth) << "ours\n" << hex(ours));
	BOOST_TEST(ours == b.truth, boost::test_tools::per_element());
}

void
raise_with(int flags, both &b)
{
	handlers = &b;
	struct sigaction s{}, old;
	s.sa_handler = in_handler;
	s.sa_flags = flags;
	sigaction(SIGUSR1, &s, &old);
	raise(SIGUSR1);
	sigaction(SIGUSR1, &old, nullptr);
}

} // namespace

BOOST_DATA_TEST_CASE(own_stack_equals_glibcs_frame_by_frame,
    bdata::xrange(1, 61), depth)
{
	for (const std::uint32_t max : {64u, 256u}) {
		both b(max);
		descend(depth, b);
		if (b.truth.size() <= max) {
			check_same(b);
			continue;
		}
		BOOST_TEST(b.ours.rec.why == STACK9_WHY_TRUNCATED);
		b.truth.resize(max);
		BOOST_TEST(b.ours.frames() == b.truth,
		    boost::test_tools::per_element());
	}
}

BOOST_AUTO_TEST_CASE(own_stack_fills_the_room_and_reports_of_more)
{
	for (const std::uint32_t max : {1u, 2u, 18u, 64u, 65u, 100u}) {
		both b(max);
		descend(200, b);
		BOOST_TEST(b.error == 0);
		BOOST_TEST(b.ours.rec.depth == max);
		BOOST_TEST(b.ours.rec.why == STACK9_WHY_TRUNCATED);
		BOOST_TEST(b.ours.rec.dropped >= 1);
		BOOST_TEST(std::equal(b.ours.room.begin(), b.ours.room.end(),
		    b.truth.begin()));
	}
}

BOOST_AUTO_TEST_CASE(own_stack_in_a_signal_handler_crosses_the_signal)
{
	both b;
	raise_with(0, b);
	check_same(b);
}

BOOST_AUTO_TEST_CASE(own_stack_on_an_alternate_stack_crosses_the_signal)
{
	std::vector<char> other(1 << 16);
	const stack_t st{other.data(), 0, other.size()};
	stack_t old;
	sigaltstack(&st, &old);
	both b;
	raise_with(SA_ONSTACK, b);
	sigaltstack(&old, nullptr);
	check_same(b);
}

BOOST_AUTO_TEST_CASE(own_stack_in_a_new_thread_ends_at_its_root)
{
	both b;
	std::thread([&] { descend(5, b); }).join();
	check_same(b);
}

BOOST_AUTO_TEST_CASE(own_stack_keeps_errno_and_the_signal_mask)
{
	sigset_t before, after;
	pthread_sigmask(SIG_SETMASK, nullptr, &before);
	for (const std::uint32_t max : {18u, 256u}) {
		errno = 12345;
		capture c(max);
		c.save(route_named("libunwind"), {});
		BOOST_TEST(errno == 12345);
	}
	pthread_sigmask(SIG_SETMASK, nullptr, &after);
	for (int s = 1; s < SIGRTMAX; s++)
		BOOST_TEST(sigismember(&before, s) == sigismember(&after, s));
}

BOOST_AUTO_TEST_CASE(own_stack_without_its_first_pc_is_kept_whole)
{
	capture all, odd;
	all.save(route_named("libunwind"), {});
	odd.save(route_named("libunwind"), {}, 1);
	BOOST_TEST(all.rec.depth == odd.rec.depth);
	BOOST_TEST(all.rec.depth > 0);
}

#ifdef COUNT_MALLOC	// no sanitizer: one would need more
// Painted, so that what was used of it can be seen.
alignas(64) unsigned char signal_stack[16 << 10];
capture *in_small;

void
save_in_handler(int)
{
	static const any_route libunwind = route_named("libunwind");
	in_small->save(libunwind, {});
}

BOOST_AUTO_TEST_CASE(own_stack_needs_at_most_ten_kib_of_stack,
    *boost::unit_test::description("It may need 10 KiB of stack, so an "
    "alternate signal stack should have 16"))
{
	capture c(18);
	in_small = &c;
	std::fill(std::begin(signal_stack), std::end(signal_stack), 0xa5);
	const stack_t small{signal_stack, 0, sizeof signal_stack};
	stack_t old;
	struct sigaction s{}, before;
	s.sa_handler = save_in_handler;
	s.sa_flags = SA_ONSTACK;
	sigaltstack(&small, &old);
	sigaction(SIGUSR1, &s, &before);
	raise(SIGUSR1);
	sigaction(SIGUSR1, &before, nullptr);
	sigaltstack(&old, nullptr);
	const auto low = std::find_if(std::begin(signal_stack),
	    std::end(signal_stack), [](unsigned char b) { return b != 0xa5; });
	const long frame = sysconf(_SC_MINSIGSTKSZ);
	BOOST_TEST(c.rec.depth > 2);
	BOOST_TEST(std::end(signal_stack) - low <= frame + (10 << 10));
}

BOOST_AUTO_TEST_CASE(own_stack_allocates_nothing_once_warm)
{
	for (const std::uint32_t max : {18u, 256u}) {
		capture c(max);
		const any_route r = route_named("libunwind");
		for (int i = 0; i < 2; i++)
			c.save(r, {});
		const long before = malloc_count;
		c.save(r, {});
		BOOST_TEST(malloc_count == before);
		BOOST_TEST(c.rec.depth > 3u);
		BOOST_TEST(c.rec.error == 0);
	}
}
#endif
