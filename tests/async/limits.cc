// Tests how much may be held at once.  Each case runs in a process of its own,
// for the limits are set once.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <chrono>

#include <sched.h>

#include "core_calls.h"
#include "deep.h"

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(async_limits)

namespace {

// Submits it by the only slot.  It may still be writing there.  If the machine
// keeps it off its CPU, a submission waits in vain: for 25 ms, or less if its
// first tries had a slot, but its last wait alone takes 12.8 ms.  Such ones are
// counted.
stack9_id
submit_by_one_slot(pid_t tid, int &in_vain)
{
	using clock = std::chrono::steady_clock;
	const stack9_thread td = thread_of(tid);
	const auto begin = clock::now();
	stack9_id id = 0;
	int error = core::submit(&td, STACK9_BOTH, 0, &id);
	if (error == ENOBUFS) {
		BOOST_TEST_REQUIRE((clock::now() - begin > 12ms));
		in_vain++;
	}
	while (error == ENOBUFS && clock::now() - begin < 2min) {
		sched_yield();
		error = core::submit(&td, STACK9_BOTH, 0, &id);
	}
	BOOST_REQUIRE_EQUAL(error, 0);
	return id;
}

} // namespace

BOOST_AUTO_TEST_CASE(what_may_be_set, *needs("bpf") * needs_task_work()
    * boost::unit_test::description(
    "Returns 0; EINVAL: captures is 0 or more than a million, or bytes is more "
    "than 1 MiB for each; EBUSY: the memory is allocated already"))
{
	apart([] {
		BOOST_TEST(stack9_async_limit(0, 0) == EINVAL);
		BOOST_TEST(stack9_async_limit(1000001, 0) == EINVAL);
		BOOST_TEST(stack9_async_limit(1000000, 0) == 0);
		BOOST_TEST(stack9_async_limit(1, 0) == 0);
		BOOST_TEST(stack9_async_limit(1, 1 << 20) == 0);
		BOOST_TEST(stack9_async_limit(1, (1 << 20) + 1) == EINVAL);
		BOOST_TEST(stack9_async_limit(8, 1 << 20) == 0);
		BOOST_TEST(stack9_async_limit(0, 0) == EINVAL);
		const puppets p;
		{
			const submission s(p.tid());
			BOOST_TEST(stack9_async_limit(8, 1 << 20) == EBUSY);
		}
		BOOST_TEST(stack9_async_limit(9, 0) == EBUSY);
		BOOST_TEST(stack9_async_limit(0, 0) == EINVAL);
	});
}

BOOST_AUTO_TEST_CASE(too_late, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("allocated by the first call that submits, "
    "watches, or asks for ready elements; EBUSY: the memory is allocated "
    "already"))
{
	apart([] {
		stream::take();
		BOOST_TEST(stack9_async_limit(1, 0) == EBUSY);
	});
	apart([] {
		stream::fd();
		BOOST_TEST(stack9_async_limit(1, 0) == EBUSY);
	});
	apart([] {
		// None of these needs anything.
		BOOST_TEST(core::collect(1, nullptr, nullptr) == ENOENT);
		BOOST_TEST(core::cancel(1) == ENOENT);
		BOOST_TEST(core::release(1) == ENOENT);
		core::submit_off(nullptr);
		BOOST_TEST(stack9_async_limit(1, 0) == 0);
	});
}

BOOST_AUTO_TEST_CASE(so_many_are_held, *needs("bpf") * needs_task_work()
    * boost::unit_test::description(
    "ENOBUFS: all slots are in use"))
{
	apart([] {
		BOOST_TEST(stack9_async_limit(4, 0) == 0);
		puppets p(2);
		std::deque<submission> held;
		for (int i = 0; i < 4; i++)
			held.emplace_back(p.tid(0));
		const auto full = [&] {
			BOOST_TEST(refusal(p.tid(0)) == ENOBUFS);
			BOOST_TEST(refusal(p.tid(1), STACK9_KERNEL) ==
			    ENOBUFS);
		};
		full();
		held.pop_front();		// which still waits
		held.emplace_back(p.tid(1));
		full();
		BOOST_TEST(core::cancel(held.front().id) == 0);
		full();				// it is still held
		held.pop_front();
		held.emplace_back(p.tid(1));
		full();
		p.wake(0);
		stream::take_until(held.front().id);
		full();
		held.pop_front();		// which is over
		const submission last(p.tid(1));
		full();
	});
}

BOOST_AUTO_TEST_CASE(one_at_a_time, *needs("bpf") * needs_task_work()
    * boost::unit_test::description(
    "Returns 0: *id has to be released some day; ENOBUFS"))
{
	apart([] {
		BOOST_TEST(stack9_async_limit(1, 0) == 0);
		puppets p;
		answer a(p.pid());
		stack9_id before = 0;
		for (int i = 0; i < 1000; i++) {
			const submission s(p.tid());
			BOOST_TEST(s.id != before);
			BOOST_TEST(refusal(p.tid()) == ENOBUFS);
			BOOST_TEST(a.collect(before) ==
			    (i == 0 ? EINVAL : ENOENT));
			before = s.id;
			if (i % 10 != 0)
				continue;
			p.wake();
			BOOST_TEST(a.outcome(s.id) == 0);
			BOOST_TEST(a.fault({"read", "obey"}) == "");
		}
	});
}

// It often runs while it is submitted, and is then submitted again: by the slot
// of its first capture, where it may still be writing.
BOOST_AUTO_TEST_CASE(one_that_naps_needs_no_second_slot, *needs("bpf")
    * needs_task_work() * boost::unit_test::description(
    "ENOBUFS: all slots are in use"))
{
	apart([] {
		BOOST_TEST(stack9_async_limit(1, 0) == 0);
		puppets p;
		answer a(p.pid());
		p.run([](puppets::strings &mine) {
			const timespec short_time{0, 1};
			mine.word[1] = 1;
			while (mine.word[0] == 0)
				nanosleep(&short_time, nullptr);
		});
		int in_vain = 0;
		for (int i = 0; i < 10000; i++) {
			const stack9_id id = submit_by_one_slot(p.tid(),
			    in_vain);
			BOOST_TEST_REQUIRE(a.outcome(id) == 0);
			core::release(id);
		}
		BOOST_TEST(in_vain <= 5);	// of a machine that is away
		p.go_on();
	});
}

BOOST_AUTO_TEST_CASE(no_bytes_more, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("bytes more for stacks of which more than "
    "14 KiB are in use; TRUNCATED: deeper than max"))
{
	apart([] {
		BOOST_TEST(stack9_async_limit(4, 0) == 0);
		puppets p;
		answer a(p.pid());
		deep::send(p, 40);
		const submission cut(p.tid(), STACK9_BOTH, STACK9_ASYNC_WAKE);
		BOOST_TEST(a.outcome(cut.id) == 0);
		BOOST_TEST(a.user.rec.error == 0);
		BOOST_TEST(a.user.rec.why == STACK9_WHY_TRUNCATED,
		    stack9_why_text(a.user.rec.why));
		BOOST_TEST(deep::frames_in(a) >= 12u);
		BOOST_TEST(deep::frames_in(a) < 16u);
		p.go_on();
		p.settle();
		const submission whole(p.tid(), STACK9_BOTH, STACK9_ASYNC_WAKE);
		BOOST_TEST(a.outcome(whole.id) == 0);
		BOOST_TEST(a.fault({"read", "obey"}) == "");
	});
}

BOOST_AUTO_TEST_CASE(bytes_for_one, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("bytes more for stacks of which more than "
    "14 KiB are in use; Releases the id and its memory"))
{
	apart([] {
		BOOST_TEST(stack9_async_limit(4, 128 * 1024) == 0);
		puppets p;
		answer a(p.pid());
		deep::send(p, 100, true);
		for (int i = 0; i < 20; i++) {
			const submission one(p.tid());
			BOOST_TEST(a.outcome(one.id) == 0);
			BOOST_TEST(a.fault({"spin", "obey"}) == "");
			BOOST_TEST(deep::frames_in(a) == 100u);
			const submission other(p.tid());
			BOOST_TEST(a.outcome(other.id) == 0);
			BOOST_TEST(a.user.rec.error == 0);
			BOOST_TEST(a.user.rec.why == STACK9_WHY_TRUNCATED,
			    stack9_why_text(a.user.rec.why));
			BOOST_TEST(deep::frames_in(a) < 100u);
		}
	});
}

BOOST_AUTO_TEST_SUITE_END()
