// Tests stack(9), "Capturing": the calling process's threads.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <string>

#include "capturing.h"

using boost::unit_test::description;
using fake::mode;

BOOST_FIXTURE_TEST_SUITE(capture_own, fake::fresh)

BOOST_AUTO_TEST_CASE(save, *description(
    "stack_save() stores the stack of the calling thread in st"))
{
	fake::now.own = pcs(5);
	struct stack st = stale();
	stack_save(&st);
	holds(st, 5);
}

BOOST_AUTO_TEST_CASE(save_first, *description(
    "The first entry is the return address inside the function that called "
    "stack_save()"))
{
	struct stack st;
	stack_save(&st);
	const auto at = reinterpret_cast<std::uintptr_t>(&&here);
here:
	// This is asked for; tests/ported sees what real frames give.
	BOOST_TEST(fake::now.first_pc != 0u);
	BOOST_TEST((fake::now.first_pc > at - 4096 &&
	    fake::now.first_pc < at + 4096));
}

BOOST_AUTO_TEST_CASE(save_errno, *description(
    "stack_save() is async-signal-safe and keeps errno"))
{
	struct stack st;
	errno = 4711;
	stack_save(&st);
	BOOST_TEST(errno == 4711);
}

BOOST_AUTO_TEST_CASE(sibling, *description(
    "The call stores the user stack of td if td is a thread of the calling "
    "process"))
{
	struct thread td = thread_of(curproc, 1 << 22, 77);
	both_say(0, 0, &td, [&td] {
		fake::now.threads[td.td_tid] = {77, mode::sleeping, pcs(5)};
	});
	BOOST_TEST(fake::now.asked ==
	    std::vector<std::string>{"fake-sibling"});
	both_say(ESRCH, ESRCH, &td, [] {});
}

BOOST_AUTO_TEST_CASE(self, *description(
    "If td is the calling thread, the call stores the same stack as "
    "stack_save()"))
{
	const auto set = [] { fake::now.own = pcs(5); };
	both_say(0, 0, curthread, set);
	BOOST_TEST(fake::now.asked == std::vector<std::string>{"fake-self"});
	BOOST_TEST(fake::now.first_pc != 0u);
	struct thread copy = *curthread;
	both_say(0, 0, &copy, set);
	copy.td_start = 0;		// whoever has the tid
	both_say(0, 0, &copy, set);
	copy.td_start = curthread->td_start + 1;
	both_say(ESRCH, ESRCH, &copy, set);
}

BOOST_AUTO_TEST_SUITE_END()
