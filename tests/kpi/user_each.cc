// Tests stack9(3): the user stacks of many threads, from route to route, on
// copies of scripted threads.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <ostream>

#include "core/seam/space.h"
#include "core_calls.h"
#include "users.h"

using boost::unit_test::description;
using fake::mode;

BOOST_FIXTURE_TEST_SUITE(user_each, two_threads)

namespace {

struct told {
	pid_t		tid;
	stack9_side	side;
	int		error;
	words		pcs;

	bool operator==(const told &) const = default;
};

std::ostream &
operator<<(std::ostream &to, const told &t)
{
	return to << t.tid << (t.side == STACK9_KERNEL ? " kernel" : " user") <<
	    " error " << t.error << " depth " << t.pcs.size();
}

std::vector<told>
pass(stack9_side side, int expected = 0, pid_t pid = other)
{
	std::vector<told> all;
	BOOST_TEST(core::each(side, pid,
	    [](void *arg, const stack9::stack_record *rec) {
		    static_cast<std::vector<told> *>(arg)->push_back(
			{rec->thread.tid, rec->side, rec->error,
			    {rec->pcs, rec->pcs + rec->depth}});
		    return 0;
	    }, &all) == expected);
	return all;
}

const std::vector<told> two_users{
	{10, STACK9_USER, 0, user_pcs}, {11, STACK9_USER, 0, user_pcs}};

} // namespace

BOOST_AUTO_TEST_CASE(every_thread_once, *description(
    "stack9_each() captures every thread of process pid and calls fn for "
    "each"))
{
	fake::now.users[12] = {1, other + 1, mode::sleeping, user_pcs};
	BOOST_TEST(pass(STACK9_USER) == two_users,
	    boost::test_tools::per_element());
	BOOST_TEST(pass(STACK9_USER, 0, 0).size() == 3u);
	BOOST_TEST(fake::now.opened == 1 + 2);
	BOOST_TEST(fake::now.dropped == 1 + 2);
}

BOOST_AUTO_TEST_CASE(twice_kernel_first, *description(
    "With BOTH fn is called twice for a thread, KERNEL first"))
{
	const std::vector<told> expected{
		{10, STACK9_KERNEL, 0, kernel_pcs}, two_users[0],
		{11, STACK9_KERNEL, 0, {kernel_pcs[0]}}, two_users[1]};
	fake::now.both = true;
	BOOST_TEST(pass(STACK9_BOTH) == expected,
	    boost::test_tools::per_element());
	// No other route was asked for the kernel's.
	BOOST_TEST(fake::now.asked == names{"fake-user-each"});
}

BOOST_AUTO_TEST_CASE(kernel_sides_of_another_pass, *description(
    "With BOTH fn is called twice for a thread, where no route has both"))
{
	// The scripted pass over kernel stacks has the innermost frame only.
	const std::vector<told> expected{
		{10, STACK9_KERNEL, 0, {kernel_pcs[0]}}, two_users[0],
		{11, STACK9_KERNEL, 0, {kernel_pcs[0]}}, two_users[1]};
	BOOST_TEST(pass(STACK9_BOTH) == expected,
	    boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(those_that_ran, *description(
    "those that ran while it came by are captured again"))
{
	for (const bool together : {true, false}) {
		two_threads anew;
		fake::now.both = together;
		fake::now.users[10].doing = mode::in_kernel;
		const auto all = pass(STACK9_BOTH);
		BOOST_REQUIRE(all.size() == 4u);
		BOOST_TEST(all[0].tid == 11);
		BOOST_TEST(all[2] == (told{10, STACK9_KERNEL, 0, kernel_pcs}));
		BOOST_TEST(all[3] == two_users[0]);
	}
}

// Frames in what was mapped in between had no names otherwise.
BOOST_AUTO_TEST_CASE(mapped_before_it_was_captured_again, *description(
    "those that ran are captured again, with a space that has their code"))
{
	fake::now.users[10].doing = mode::in_kernel;
	fake::now.users[10].pcs = {0x401000, 0x404000};
	fake::now.mapped_late = {0x404000};
	int with_code = 0;
	BOOST_TEST(core::each(STACK9_USER, other,
	    [](void *arg, const stack9::stack_record *rec) {
		    *static_cast<int *>(arg) += rec->space != nullptr &&
			stack9::space_has(*rec->space, rec->pcs, rec->depth);
		    return 0;
	    }, &with_code) == 0);
	BOOST_TEST(with_code == 2);
	BOOST_TEST(fake::now.opened == fake::now.dropped);
}

BOOST_AUTO_TEST_CASE(a_stack_in_pieces, *description(
    "a longer stack is fetched on"))
{
	fake::now.users[10].piece = 1;
	BOOST_TEST(pass(STACK9_USER) == two_users,
	    boost::test_tools::per_element());
	// It has run before the rest was asked for: once more, at the end.
	fake::now.users[10].runs_on = 1;
	const auto all = pass(STACK9_USER);
	BOOST_REQUIRE(all.size() == 2u);
	BOOST_TEST(all[0] == two_users[1]);
	BOOST_TEST(all[1] == two_users[0]);
}

BOOST_AUTO_TEST_CASE(errors_come_too, *description(
    "For a thread that could not be captured, the record has the error"))
{
	fake::now.users[10].doing = mode::zombie;
	fake::now.users[11].refuses = EPERM;
	const std::vector<told> expected{
		{10, STACK9_USER, ESRCH, {}}, {11, STACK9_USER, EPERM, {}}};
	BOOST_TEST(pass(STACK9_USER) == expected,
	    boost::test_tools::per_element());
	fake::now.space_error = ESRCH;
	fake::now.users[11].refuses = 0;
	BOOST_TEST(pass(STACK9_USER).back() ==
	    (told{11, STACK9_USER, ESRCH, {}}));
}

BOOST_AUTO_TEST_CASE(never_twice, *description(
    "A pass that fails half way is not begun again by another route"))
{
	for (const int error : {ENOMEM, EMFILE, EPERM, EOPNOTSUPP}) {
		fake::now.each_ends = error;
		BOOST_TEST(pass(STACK9_USER, error) == two_users,
		    boost::test_tools::per_element());
		BOOST_TEST(fake::now.asked.back() == "fake-user-all");
	}
	fake::now.users.clear();
	fake::now.asked.clear();
	BOOST_TEST(pass(STACK9_USER, EOPNOTSUPP).empty());
	BOOST_TEST(fake::now.asked == (names{"fake-user-each",
	    "fake-user-all"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(fn_ends_it, *description(
    "If fn returns a value other than 0, the pass ends and that value is "
    "returned"))
{
	for (const bool together : {true, false})
		for (const int last : {1, 2, 3, 4}) {
			fake::now.both = together;
			fake::now.users[10].doing = mode::in_user;
			int left = last;
			BOOST_TEST(core::each(STACK9_BOTH, other,
			    [](void *arg, const stack9::stack_record *) {
				    return --*static_cast<int *>(arg) == 0 ?
					ESRCH : 0;
			    }, &left) == ESRCH);
			BOOST_TEST(left == 0);
		}
}

BOOST_AUTO_TEST_CASE(fn_keeps_the_space, *description(
    "a space that is held outlives its pass"))
{
	stack9_space *kept = nullptr;
	BOOST_TEST(core::each(STACK9_USER, other,
	    [](void *arg, const stack9::stack_record *rec) {
		    stack9::space_hold(*rec->space);
		    *static_cast<stack9_space **>(arg) = rec->space;
		    return 42;
	    }, &kept) == 42);
	BOOST_REQUIRE(kept != nullptr);
	BOOST_TEST(fake::now.dropped == 0);
	stack9::space_drop(kept);
	BOOST_TEST(fake::now.dropped == 1);
}

BOOST_AUTO_TEST_SUITE_END()
