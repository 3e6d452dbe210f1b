// Tests threads that sleep while they are submitted.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <csignal>

#include "core_calls.h"
#include "puppets.h"

BOOST_AUTO_TEST_SUITE(async_asleep)

BOOST_AUTO_TEST_CASE(until_it_wakes_by_itself, *needs("bpf")
    * needs_task_work() * boost::unit_test::description(
    "EAGAIN: the thread has not returned to user space; kernel is filled in; "
    "No thread is stopped or woken"))
{
	puppets p;
	const submission s(p.tid());
	answer a(p.pid());
	for (int i = 0; i < 3; i++) {	// as often as is wanted
		BOOST_TEST(a.collect(s.id) == EAGAIN);
		BOOST_TEST(a.kernel.rec.error == 0);
		BOOST_TEST(a.kernel.rec.thread.tid == p.tid());
		BOOST_TEST(a.kernel.rec.thread.pid == p.pid());
		BOOST_TEST(a.kernel.rec.state == 'S');
		BOOST_TEST(named(a.kernel.rec) == proc_stack(p.tid()),
		    boost::test_tools::per_element());
		BOOST_TEST(a.user.rec.depth == 0u);
		BOOST_TEST(core::collect(s.id, nullptr, nullptr) == EAGAIN);
	}
	BOOST_TEST(p.returned() == 0u);
	p.wake();
	BOOST_TEST(p.returned() == 1u);
	BOOST_TEST(a.outcome(s.id) == 0);
	for (int i = 0; i < 3; i++) {
		BOOST_TEST(a.collect(s.id) == 0);
		BOOST_TEST(a.kernel.rec.error == 0);
		BOOST_TEST(a.user.rec.thread.tid == p.tid());
		BOOST_TEST(a.user.rec.thread.pid == p.pid());
		BOOST_TEST(a.fault({"read", "obey"}) == "");
		BOOST_TEST(a.user.rec.when_ns >= a.kernel.rec.when_ns);
	}
}

BOOST_AUTO_TEST_CASE(where_it_was_when_submitted, *needs("bpf")
    * needs_task_work() * boost::unit_test::description(
    "The kernel side is captured when a thread is submitted"))
{
	puppets p;
	p.sleep_in(puppets::wait);
	const auto then = proc_stack(p.tid());
	const submission s(p.tid());
	p.go_on();
	p.settle();
	BOOST_TEST(told(p.word(1)) == 1u);
	answer a(p.pid());
	BOOST_TEST(a.outcome(s.id) == 0);
	BOOST_TEST(named(a.kernel.rec) == then,
	    boost::test_tools::per_element());
	BOOST_TEST(named(a.kernel.rec) != proc_stack(p.tid()));
	BOOST_TEST(a.fault({"syscall", "wait", "obey"}) == "");
}

BOOST_AUTO_TEST_CASE(none_is_merged_with_another, *needs("bpf")
    * needs_task_work() * boost::unit_test::description("No two submissions "
    "share an id, and none is merged with another"))
{
	puppets p;
	const submission one(p.tid()), two(p.tid());
	BOOST_TEST(one.id != two.id);
	answer a(p.pid()), b(p.pid());
	BOOST_TEST(a.collect(one.id) == EAGAIN);
	BOOST_TEST(b.collect(two.id) == EAGAIN);
	p.wake();
	BOOST_TEST(collect_over(one.id) == 0);
	BOOST_TEST(collect_over(two.id) == 0);
	BOOST_TEST(a.collect(one.id) == 0);
	BOOST_TEST(b.collect(two.id) == 0);
	BOOST_TEST(a.fault({"read", "obey"}) == "");
	BOOST_TEST(std::vector(a.user.pcs, a.user.pcs + a.user.rec.depth) ==
	    std::vector(b.user.pcs, b.user.pcs + b.user.rec.depth),
	    boost::test_tools::per_element());
	const auto came = stream::take();
	BOOST_REQUIRE_EQUAL(came.size(), 2u);	// each once
	// In the order in which they became ready.
	BOOST_TEST((came[0].id == one.id) ==
	    (a.user.rec.when_ns <= b.user.rec.when_ns));
	BOOST_TEST((came[0].id == one.id ? two.id : one.id) == came[1].id);
}

BOOST_AUTO_TEST_CASE(now_in_a_read, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("STACK9_ASYNC_WAKE: wake the thread; a "
    "read of a pipe goes on after that"))
{
	puppets p;
	answer a(p.pid());
	for (int i = 0; i < 20; i++) {
		const submission s(p.tid(), STACK9_BOTH, STACK9_ASYNC_WAKE);
		BOOST_TEST(a.outcome(s.id) == 0);
		BOOST_TEST(a.fault({"read", "obey"}) == "");
		wait_for_state(p.tid(), 'S');
		BOOST_TEST(p.returned() == 0u);
	}
	p.wake();
	BOOST_TEST(p.returned() == 1u);
}

BOOST_AUTO_TEST_CASE(now_on_a_futex, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("STACK9_ASYNC_WAKE: wake the thread; a "
    "futex wait goes on after that"))
{
	puppets p;
	p.sleep_in(puppets::wait);
	answer a(p.pid());
	for (int i = 0; i < 20; i++) {
		wait_for_state(p.tid(), 'S');
		const submission s(p.tid(), STACK9_BOTH, STACK9_ASYNC_WAKE);
		BOOST_TEST(a.outcome(s.id) == 0);
		BOOST_TEST(a.fault({"syscall", "wait"}) == "");
		BOOST_TEST(p.word(1) == 0u);
	}
	wait_for_state(p.tid(), 'S');
	p.go_on();
	BOOST_TEST(told(p.word(1)) == 1u);	// it returned 0
}

BOOST_AUTO_TEST_CASE(stopped, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("No thread is stopped or woken"))
{
	puppets p;
	answer a(p.pid());
	for (const unsigned int flags : {0u, STACK9_ASYNC_WAKE}) {
		BOOST_REQUIRE(kill(p.pid(), SIGSTOP) == 0);
		wait_for_state(p.tid(), 'T');
		const submission s(p.tid(), STACK9_BOTH, flags);
		BOOST_TEST(core::collect(s.id, nullptr, nullptr) == EAGAIN);
		BOOST_TEST(state_of(p.tid()) == 'T');
		BOOST_REQUIRE(kill(p.pid(), SIGCONT) == 0);
		BOOST_TEST(a.outcome(s.id) == 0);
		BOOST_TEST(a.fault({"read", "obey"}) == "");
		wait_for_state(p.tid(), 'S');
		BOOST_TEST(p.returned() == 0u);
	}
}

BOOST_AUTO_TEST_SUITE_END()
