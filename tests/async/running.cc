// Tests threads that run while they are submitted, and threads of this process.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>
#include <thread>

#include <unistd.h>

#include "puppets.h"

BOOST_AUTO_TEST_SUITE(async_running)

namespace {

std::atomic<bool> stop;

[[gnu::noinline]] void
spin_in_here(std::atomic<pid_t> &tid)
{
	auto *const told = reinterpret_cast<pid_t *>(&tid);
	auto *const stops = reinterpret_cast<bool *>(&stop);
	__atomic_store_n(told, gettid(), __ATOMIC_SEQ_CST);
	// Without a call, in unoptimised code too.
	while (!__atomic_load_n(stops, __ATOMIC_SEQ_CST))
		asm volatile("");
}

[[gnu::noinline]] void
sleep_in_here(int fd, std::atomic<pid_t> &tid)
{
	char byte;
	tid = gettid();
	if (read(fd, &byte, 1) != 1)
		tid = -1;
}

// A thread of this process; its end is waited for.
template <class Body> struct sibling {
	explicit sibling(Body body)
	    : thread([this, body] { body(tid); })
	{
		while (tid == 0)
			sched_yield();
	}

	std::atomic<pid_t>	tid{0};
	std::thread		thread;
};

} // namespace

BOOST_AUTO_TEST_CASE(in_user_mode, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("The thread itself captures its user side "
    "when it next returns to user space"))
{
	puppets p;
	p.run(puppets::spin);
	answer a(p.pid());
	for (int i = 0; i < 20; i++)
		for (const unsigned int flags : {0u, STACK9_ASYNC_WAKE}) {
			const submission s(p.tid(), STACK9_BOTH, flags);
			BOOST_TEST(a.outcome(s.id) == 0);
			BOOST_TEST(a.user.rec.thread.tid == p.tid());
			BOOST_TEST(a.fault({"spin", "obey"}) == "");
		}
}

BOOST_AUTO_TEST_CASE(in_system_calls, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("The thread itself captures its user side "
    "when it next returns to user space"))
{
	puppets p;
	p.run(puppets::call);
	answer a(p.pid());
	for (int i = 0; i < 50; i++) {
		const submission s(p.tid());
		BOOST_TEST(a.outcome(s.id) == 0);
		BOOST_TEST(a.user.rec.why == STACK9_WHY_NONE);
		BOOST_TEST(a.names().find("puppets4callE") !=
		    std::string::npos, a.names());
	}
}

BOOST_AUTO_TEST_CASE(without_a_space, *needs("bpf") * needs_task_work()
    * boost::unit_test::description(
    "for user also space, or NULL for a space for this capture only"))
{
	puppets p;
	p.run(puppets::spin);
	const submission s(p.tid());
	answer a(p.pid());
	BOOST_TEST(a.outcome(s.id) == 0);
	const std::vector first(a.user.pcs, a.user.pcs + a.user.rec.depth);
	a.user.rec.space = nullptr;
	BOOST_TEST(a.collect(s.id) == 0);
	BOOST_TEST(a.user.rec.why == STACK9_WHY_NONE);
	BOOST_TEST(std::vector(a.user.pcs, a.user.pcs + a.user.rec.depth) ==
	    first, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_running_sibling, *needs("bpf") * needs_task_work()
    * boost::unit_test::description(
    "the stacks of td, which may be of any process"))
{
	stop = false;
	sibling runs(spin_in_here);
	answer a(getpid());
	for (int i = 0; i < 20; i++) {
		const submission s(runs.tid);
		BOOST_TEST(a.outcome(s.id) == 0);
		BOOST_TEST(a.user.rec.thread.tid == runs.tid);
		BOOST_TEST(a.fault({"spin_in_here"}) == "");
	}
	stop = true;
	runs.thread.join();
}

BOOST_AUTO_TEST_CASE(a_sleeping_sibling, *needs("bpf") * needs_task_work()
    * boost::unit_test::description(
    "the stacks of td, which may be of any process"))
{
	int ends[2];
	BOOST_REQUIRE(pipe(ends) == 0);
	sibling sleeps([&](auto &tid) { sleep_in_here(ends[0], tid); });
	wait_for_state(sleeps.tid, 'S');
	answer a(getpid());
	const submission now(sleeps.tid, STACK9_BOTH, STACK9_ASYNC_WAKE);
	BOOST_TEST(a.outcome(now.id) == 0);
	BOOST_TEST(a.fault({"read", "sleep_in_here"}) == "");
	wait_for_state(sleeps.tid, 'S');
	const submission s(sleeps.tid);
	BOOST_TEST(a.collect(s.id) == EAGAIN);
	BOOST_TEST(named(a.kernel.rec) == proc_stack(sleeps.tid),
	    boost::test_tools::per_element());
	BOOST_TEST(write(ends[1], "", 1) == 1);
	BOOST_TEST(a.outcome(s.id) == 0);
	BOOST_TEST(a.fault({"read", "sleep_in_here"}) == "");
	sleeps.thread.join();
	BOOST_TEST(sleeps.tid > 0);	// the call returned what it should
	close(ends[0]);
	close(ends[1]);
}

BOOST_AUTO_TEST_CASE(the_calling_thread, *needs("bpf") * needs_task_work()
    * boost::unit_test::description(
    "the stacks of td, which may be of any process"))
{
	answer a(getpid());
	const submission s(gettid());
	BOOST_TEST(a.outcome(s.id) == 0);
	BOOST_TEST(a.user.rec.why == STACK9_WHY_NONE);
	BOOST_TEST(a.names().find("the_calling_thread") != std::string::npos,
	    a.names());
}

BOOST_AUTO_TEST_SUITE_END()
