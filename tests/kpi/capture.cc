// Tests stack(9), "Capturing": threads of other processes, all scripted.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <string>

#include "capturing.h"

using boost::unit_test::description;
using fake::mode;

BOOST_FIXTURE_TEST_SUITE(capture, fake::fresh)

BOOST_AUTO_TEST_CASE(sleeping, *description(
    "stack_save_td() stores the stack of td, whether it sleeps or runs: its "
    "kernel stack if it is a thread of another process"))
{
	struct thread td = stranger(10, 77);
	both_say(0, 0, &td, [] {
		fake::now.threads[10] = {77, mode::sleeping, pcs(5)};
	});
	BOOST_TEST(fake::now.asked ==
	    std::vector<std::string>{"fake-first"});
}

BOOST_AUTO_TEST_CASE(running_in_kernel, *description(
    "stack_save_td() stores the stack of td, whether it sleeps or runs"))
{
	struct thread td = stranger(10, 77);
	both_say(0, 0, &td, [] {
		fake::now.threads[10] = {77, mode::in_kernel, pcs(5)};
	});
	BOOST_TEST((fake::now.asked ==
	    std::vector<std::string>{"fake-first", "fake-running"}));
}

BOOST_AUTO_TEST_CASE(user_mode, *description(
    "EBUSY: The thread was running in user mode (from stack_save_td() only); "
    "EAGAIN: This number has the same meaning; only stack_save_td_running() "
    "returns it"))
{
	struct thread td = stranger(10, 77);
	both_say(EBUSY, EAGAIN, &td, [] {
		fake::now.threads[10] = {77, mode::in_user, pcs(5)};
	});
}

BOOST_AUTO_TEST_CASE(moving, *description(
    "EBUSY: or kept moving during the capture: try again"))
{
	struct thread td = stranger(10, 77);
	for (mode m : {mode::moving, mode::torn}) {
		both_say(EBUSY, EAGAIN, &td, [m] {
			fake::now.threads[10] = {77, m, pcs(5)};
		});
		// Bounded: 8 tries, each of two routes at most.
		BOOST_TEST(fake::now.asked.size() >= 8u);
		BOOST_TEST(fake::now.asked.size() <= 16u);
	}
	both_say(0, 0, &td, [] {
		fake::now.threads[10] = {77, mode::moving, pcs(5), 4};
	});
}

BOOST_AUTO_TEST_CASE(gone, *description(
    "ESRCH: The thread is gone, or its tid is another thread's now"))
{
	struct thread td = stranger(10, 77);
	both_say(ESRCH, ESRCH, &td, [] {});
	both_say(ESRCH, ESRCH, &td, [] {
		fake::now.threads[10] = {78, mode::sleeping, pcs(5)};
	});
	both_say(ESRCH, ESRCH, &td, [] {
		fake::now.threads[10] = {77, mode::zombie, pcs(5)};
	});
}

BOOST_AUTO_TEST_CASE(cannot, *description(
    "EOPNOTSUPP: This machine cannot"))
{
	struct thread td = stranger(10, 77);
	both_say(EOPNOTSUPP, EOPNOTSUPP, &td, [] {
		fake::now.threads[10] = {77, mode::sleeping, pcs(5)};
		fake::now.first = fake::now.second = {EOPNOTSUPP, "no"};
	});
	both_say(EOPNOTSUPP, EOPNOTSUPP, &td, [] {
		fake::now.threads[10] = {77, mode::in_user, pcs(5)};
		fake::now.running = {EOPNOTSUPP, "no"};
	});
}

BOOST_AUTO_TEST_CASE(rights, *description(
    "EPERM: This needs more privilege"))
{
	struct thread td = stranger(10, 77);
	for (bool first : {true, false})
		both_say(EPERM, EPERM, &td, [first] {
			fake::now.threads[10] = {77, mode::sleeping, pcs(5)};
			fake::now.first = {first ? EPERM : EOPNOTSUPP, "no"};
			fake::now.second = {first ? EOPNOTSUPP : EPERM, "no"};
		});
}

BOOST_AUTO_TEST_CASE(resources, *description(
    "ENOMEM: There is no memory to ask the kernel with. The number is EMFILE "
    "if there is no file descriptor"))
{
	struct thread td = stranger(10, 77);
	for (int error : {ENOMEM, EMFILE})
		both_say(error, error, &td, [error] {
			fake::now.threads[10] = {77, mode::sleeping, pcs(5)};
			fake::now.first = {error, "none left"};
			fake::now.second = {EOPNOTSUPP, "no"};
		});
}

BOOST_AUTO_TEST_CASE(next_route, *description(
    "stack_save_td() stores the stack of td: by the next route where one "
    "cannot"))
{
	struct thread td = stranger(10, 77);
	both_say(0, 0, &td, [] {
		fake::now.threads[10] = {77, mode::sleeping, pcs(5)};
		fake::now.first = {EPERM, "no"};
	});
	BOOST_TEST(fake::now.asked ==
	    std::vector<std::string>{"fake-second"});
}

BOOST_AUTO_TEST_CASE(arguments, *description(
    "EINVAL: st or td is NULL, or td names no thread"))
{
	struct thread td = stranger(10, 77);
	BOOST_TEST(stack_save_td(nullptr, &td) == EINVAL);
	BOOST_TEST(stack_save_td_running(nullptr, &td) == EINVAL);
	BOOST_TEST(stack_save_td(nullptr, nullptr) == EINVAL);
	both_say(EINVAL, EINVAL, nullptr, [] {});
	for (lwpid_t tid : {0, -1, -2147483647 - 1}) {
		struct thread none = stranger(tid, 77);
		both_say(EINVAL, EINVAL, &none, [] {});
		BOOST_TEST(fake::now.asked.empty());
	}
	struct thread homeless = thread_of(nullptr, 10, 77);
	both_say(EINVAL, EINVAL, &homeless, [] {});
}

BOOST_AUTO_TEST_CASE(stays_empty, *description(
    "All three calls empty st before anything else. If a call fails, st stays "
    "empty, and all its program counters are 0"))
{
	struct thread td = stranger(10, 77);
	for (mode m : {mode::in_user, mode::moving, mode::torn})
		both_say(EBUSY, EAGAIN, &td, [m] {
			fake::now.threads[10] = {77, m, pcs(5), 0, 12};
		});
	// Nor do the frames of a failed try stay after those of a shorter
	// stack.
	both_say(0, 0, &td, [] {
		fake::now.threads[10] = {77, mode::torn, pcs(5), 3, 12};
	});
	struct stack st = stale();
	stack_save(&st);		// the script has no frames
	holds(st, 0);
}

BOOST_AUTO_TEST_CASE(deep, *description(
    "A stack that is deeper than STACK_MAX is cut to its STACK_MAX innermost "
    "frames, and no call reports this"))
{
	for (std::size_t depth : {17u, 18u, 19u, 500u}) {
		const std::size_t expected = std::min<std::size_t>(depth, 18);
		struct thread td = stranger(10, 77);
		fake::now.threads[10] = {77, mode::sleeping, pcs(depth)};
		fake::now.own = pcs(depth);
		struct stack st = stale();
		BOOST_TEST(stack_save_td(&st, &td) == 0);
		holds(st, expected);
		st = stale();
		stack_save(&st);
		holds(st, expected);
	}
}

BOOST_AUTO_TEST_CASE(no_errno, *description(
    "stack_save_td() returns 0 or an error number; it does not set errno"))
{
	struct thread td = stranger(10, 77);
	errno = 4711;
	struct stack st;
	BOOST_TEST(stack_save_td(&st, &td) == ESRCH);
	BOOST_TEST(stack_save_td(&st, curthread) == 0);
	BOOST_TEST(errno == 4711);
}

BOOST_AUTO_TEST_SUITE_END()
