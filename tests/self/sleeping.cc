// Tests that a sleeping sibling's stack is whole, and no call returns early.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness.h"

namespace bdata = boost::unit_test::data;
using boost::unit_test::description;

namespace {

// await_sleep() may see the sleep before the one that is meant.
int
save_asleep(capture &c, const victim &v)
{
	int error;
	do
		error = c.save(route_named("registers"), v.thread());
	while (error == EAGAIN);
	return error;
}

void
check_asleep(const capture &c, const victim &v,
    unsigned flags = STACK9_STACK_EXACT)
{
	BOOST_TEST(c.rec.why == STACK9_WHY_NONE);
	BOOST_TEST(c.rec.flags == flags);
	BOOST_TEST_INFO(hex(c.frames()));
	BOOST_TEST(behind(c.frames(), v.order.truth.at(0)) == v.order.truth,
	    boost::test_tools::per_element());
}

const deed sleeps[] = {deed::futex, deed::poll, deed::read, deed::nanosleep,
    deed::epoll, deed::sem};

} // namespace

BOOST_DATA_TEST_CASE(a_sleeping_siblings_stack_is_whole_and_nothing_wakes_it,
    bdata::make({0, 1, 2, 3, 4, 5}), which)
{
	victim v(lean::obey, sleeps[which]);
	v.await_sleep();
	capture c;
	for (int i = 0; i < 1000; i++) {
		BOOST_REQUIRE(save_asleep(c, v) == 0);
		if (i == 0 || c.frames().size() < v.order.truth.size())
			check_asleep(c, v);
	}
	check_asleep(c, v);
	BOOST_TEST(v.order.returned == 0);
	BOOST_TEST(state_of(v.thread().tid) == 'S');
}

BOOST_DATA_TEST_CASE(an_unknown_register_ends_the_stack_and_is_reported,
    bdata::make({0, 1, 2, 3, 4, 5}), which)
{
	victim v(plain::obey, sleeps[which]);
	v.await_sleep();
	capture c;
	BOOST_REQUIRE(save_asleep(c, v) == 0);
	if (c.rec.why == STACK9_WHY_NONE) {
		check_asleep(c, v, c.rec.flags);
		return;
	}
	BOOST_TEST(c.rec.why == STACK9_WHY_REGISTERS);
	BOOST_TEST(c.rec.reason != nullptr);
	const auto got = behind(c.frames(), v.order.truth.at(0));
	BOOST_REQUIRE(got.size() <= v.order.truth.size());
	BOOST_TEST(std::equal(got.begin(), got.end(), v.order.truth.begin()));
	BOOST_TEST(v.order.returned == 0);
}

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
BOOST_TEST_DECORATOR(*description("A frame pointer that no inner frame has "
    "saved is worked out from the first instructions of the function, and "
    "STACK9_STACK_GUESSED is set"))
BOOST_DATA_TEST_CASE(an_unknown_frame_pointer_is_worked_out_and_reported,
    bdata::make({0, 1, 2, 3, 4, 5}), which)
{
	victim v(plain::obey, sleeps[which]);
	v.await_sleep();
	capture c;
	BOOST_REQUIRE(save_asleep(c, v) == 0);
	check_asleep(c, v, c.rec.flags);
	// sem_wait() saves the frame pointer.
	BOOST_TEST(((c.rec.flags & STACK9_STACK_GUESSED) != 0 ||
	    sleeps[which] == deed::sem));
	BOOST_TEST(v.order.returned == 0);
}
#endif

BOOST_AUTO_TEST_CASE(code_without_unwind_information_ends_the_stack_and_is_said)
{
	victim v(bare::obey, deed::read);
	v.await_sleep();
	capture c;
	BOOST_REQUIRE(save_asleep(c, v) == 0);
	BOOST_TEST(c.rec.why == STACK9_WHY_UNWIND);
	BOOST_TEST(c.rec.depth >= 1);
	BOOST_TEST(c.rec.reason != nullptr);
}

BOOST_AUTO_TEST_CASE(a_stack_larger_than_its_copy_is_whole)
{
	for (const std::size_t ballast : {100u << 10, 2u << 20}) {
		victim v(lean::obey, deed::read, ballast);
		v.await_sleep();
		capture c;
		BOOST_REQUIRE(save_asleep(c, v) == 0);
		// alloca() finds its frame by rbp, saved by an inner frame.
		check_asleep(c, v);
	}
}

BOOST_AUTO_TEST_CASE(frames_beyond_the_room_are_reported_as_truncated)
{
	victim v(lean::obey, deed::read);
	v.await_sleep();
	capture all, some(2);
	BOOST_REQUIRE(save_asleep(all, v) == 0);
	BOOST_REQUIRE(save_asleep(some, v) == 0);
	BOOST_TEST(some.rec.depth == 2);
	BOOST_TEST(some.rec.dropped >= 1);
	BOOST_TEST(some.rec.why == STACK9_WHY_TRUNCATED);
	BOOST_TEST(some.room[1] == all.room[1]);
}

// Asleep in a handler, on a stack of its own: the copy does not hold it all.
BOOST_AUTO_TEST_CASE(frames_across_a_signal_on_an_alternate_stack_are_whole)
{
	static orders *in_handler;
	victim v([](orders &o) {
		in_handler = &o;
		static char other[1 << 16];
		const stack_t st{other, 0, sizeof other};
		sigaltstack(&st, nullptr);
		struct sigaction s{};
		s.sa_flags = SA_ONSTACK;
		s.sa_handler = [](int) { lean::obey(*in_handler); };
		sigaction(SIGUSR1, &s, nullptr);
		raise(SIGUSR1);
		const stack_t off{nullptr, SS_DISABLE, 0};
		sigaltstack(&off, nullptr);
	});
	v.await_sleep();
	capture c;
	BOOST_REQUIRE(save_asleep(c, v) == 0);
	check_asleep(c, v);
}

BOOST_AUTO_TEST_CASE(what_is_known_of_the_thread_is_filled_in)
{
	victim v([](orders &o) {
		pthread_setname_np(pthread_self(), "a (b) \\c\nd");
		lean::obey(o);
	});
	v.await_sleep();
	capture c;
	BOOST_REQUIRE(save_asleep(c, v) == 0);
	BOOST_TEST(c.rec.comm == "a (b) \\c\nd");
	BOOST_TEST(c.rec.state == 'S');
	BOOST_TEST(c.rec.cpu >= 0);
	BOOST_TEST(c.rec.thread.tid == v.thread().tid);
	BOOST_TEST(c.rec.thread.pid == getpid());
	BOOST_TEST(c.rec.thread.start != 0);
	BOOST_TEST(c.rec.when_ns != 0);
}

// Two places to sleep in, in turn: one of them is the answer, never a mixture.
BOOST_AUTO_TEST_CASE(a_thread_that_runs_meanwhile_is_reported_or_captured_whole)
{
	orders left, right;
	BOOST_REQUIRE(pipe(left.fds) == 0);
	BOOST_REQUIRE(pipe(right.fds) == 0);
	left.what = right.what = deed::read;
	for (const orders *o : {&left, &right})
		BOOST_REQUIRE(write(o->fds[1], "x", 1) == 1);
	std::vector<std::uintptr_t> a, b;
	std::atomic<bool> end{false};
	victim v([&](orders &o) {
		do {
			lean::obey(left);
			lean::obey(right);
			if (!o.ready) {
				a = left.truth;
				b = right.truth;
			}
			o.ready = true;
		} while (!end);
	});
	std::thread feeder([&] {
		for (std::uint64_t n = 2; !end; n++)
			for (orders *o : {&left, &right}) {
				if (write(o->fds[1], "x", 1) != 1)
					return;
				while (o->returned < n && !end)
					std::this_thread::yield();
			}
	});
	capture c;
	long whole = 0, again = 0, wrong = 0, tried = 0;
	// It goes on until it has met it asleep: a busy machine may need more.
	for (; tried < 20000 || (whole == 0 && tried < 2000000); tried++) {
		const int error = c.save(route_named("registers"), v.thread());
		const auto tail = behind(c.frames(), a[0]);
		whole += error == 0;
		again += error == EAGAIN && c.rec.depth == 0;
		wrong += error == 0 && (c.rec.why != STACK9_WHY_NONE ||
		    (tail != a && tail != b));
	}
	end = true;
	feeder.join();
	for (const orders *o : {&left, &right})
		BOOST_REQUIRE(write(o->fds[1], "xx", 2) == 2);
	BOOST_TEST(whole > 0);
	BOOST_TEST(whole + again == tried);
	BOOST_TEST(wrong == 0);
	BOOST_TEST_MESSAGE(whole << " whole, " << again << " again");
}
