// Tests stack9(3): both stacks of a thread, from route to route, on copies of
// scripted threads.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>

#include "core_calls.h"
#include "users.h"

using boost::unit_test::description;
using fake::mode;

namespace {

struct both_sides {
	both_sides()
	{
		kernel.pcs = kernel_room;
		user.pcs = user_room;
		kernel.max = user.max = 32;
	}
	void
	save(const stack9_thread &td = thread)
	{
		BOOST_TEST(core::save_both(&td, &kernel, &user) == 0);
		BOOST_TEST(kernel.side == STACK9_KERNEL);
		BOOST_TEST(user.side == STACK9_USER);
	}
	bool
	are(const words &k, const words &u) const
	{
		return words(kernel_room, kernel_room + kernel.depth) == k &&
		    words(user_room, user_room + user.depth) == u;
	}

	std::uintptr_t	kernel_room[32], user_room[32];
	stack9::stack_record	kernel{}, user{};
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(both, two_threads)

BOOST_AUTO_TEST_CASE(at_one_moment, *description(
    "STACK9_BOTH: Both, captured at one moment where that can be done"))
{
	fake::now.both = true;
	both_sides c;
	c.save();
	BOOST_TEST(c.are(kernel_pcs, user_pcs));
	BOOST_TEST(fake::now.asked == names{"fake-user-first"});
}

BOOST_AUTO_TEST_CASE(the_kernel_first, *description(
    "with ptrace(2), the kernel stack is from the moment before"))
{
	both_sides c;
	c.save();
	BOOST_TEST(c.are(kernel_pcs, user_pcs));
	BOOST_TEST(fake::now.asked == (names{"fake-first",
	    "fake-user-first"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(each_again, *description(
    "where it is tried again, both are"))
{
	fake::now.users[10].doing = mode::torn;
	fake::now.users[10].tries = 3;
	for (const bool together : {true, false}) {
		fake::now.both = together;
		both_sides c;
		c.save();
		BOOST_TEST(c.are(kernel_pcs, user_pcs));
	}
}

BOOST_AUTO_TEST_CASE(errors_of_their_own, *description(
    "Each record is as for stack9_save(), and has its own error"))
{
	for (const bool together : {true, false}) {
		two_threads anew;
		fake::now.both = together;
		fake::now.users[10].refuses = EPERM;
		both_sides c;
		c.save();
		BOOST_TEST(c.user.error == EPERM);
		BOOST_TEST(c.kernel.error == 0);
		BOOST_TEST(c.are(kernel_pcs, {}));
	}
	for (const bool together : {true, false}) {
		two_threads anew;
		fake::now.both = together;
		fake::now.threads.clear();
		both_sides c;
		c.save();
		BOOST_TEST(c.user.error == 0);
		BOOST_TEST(c.kernel.error == (together ? EAGAIN : ESRCH));
		BOOST_TEST(c.are({}, user_pcs));
	}
}

// Another thread gets the tid between the two sides.
BOOST_AUTO_TEST_CASE(the_user_side_is_of_the_thread_of_the_kernel_side,
    *description("a thread that was asked for by tid alone: both sides are of "
    "one thread"))
{
	fake::now.threads[10].next = 99;
	both_sides c;
	c.save({10, 0, 0});
	BOOST_TEST(c.kernel.thread.start == 77u);
	BOOST_TEST(c.user.error == ESRCH);
	BOOST_TEST(c.user.why == STACK9_WHY_REUSED);
	BOOST_TEST(c.are(kernel_pcs, {}));
}

BOOST_AUTO_TEST_CASE(arguments, *description(
    "EINVAL: a pointer is NULL, tid < 1, or max is 0, for either record"))
{
	both_sides c;
	BOOST_TEST(core::save_both(nullptr, &c.kernel, &c.user) == EINVAL);
	BOOST_TEST(core::save_both(&thread, nullptr, &c.user) == EINVAL);
	BOOST_TEST(core::save_both(&thread, &c.kernel, nullptr) == EINVAL);
	for (stack9::stack_record both_sides::*r : {&both_sides::kernel,
	    &both_sides::user}) {
		both_sides none;
		(none.*r).max = 0;
		BOOST_TEST(core::save_both(&thread, &none.kernel,
		    &none.user) == EINVAL);
	}
	BOOST_TEST(fake::now.asked.empty());
}

BOOST_AUTO_TEST_SUITE_END()
