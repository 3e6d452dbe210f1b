// Tests stack9(3), "Many stacks": from route to route.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <vector>


#include "core_calls.h"
#include "fake_backend.h"

using boost::unit_test::description;

namespace {

// The tids that a pass finds.
std::vector<pid_t>
told(int expected)
{
	std::vector<pid_t> tids;
	BOOST_TEST(core::each(STACK9_KERNEL, 1,
	    [](void *arg, const stack9::stack_record *rec) {
		    static_cast<std::vector<pid_t> *>(arg)->push_back(
			rec->thread.tid);
		    return 0;
	    }, &tids) == expected);
	return tids;
}

const std::vector<pid_t> both{7, 8};

struct fresh_threads : fake::fresh {
	fresh_threads()
	{
		fake::now.threads[7] = {1, fake::mode::sleeping, {1}};
		fake::now.threads[8] = {1, fake::mode::sleeping, {1}};
	}
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(each, fresh_threads)

BOOST_AUTO_TEST_CASE(every_thread_once, *description(
    "stack9_each() captures every thread of process pid and calls fn for "
    "each"))
{
	BOOST_TEST(told(0) == both);
	fake::now.first = {EOPNOTSUPP, "not here"};
	BOOST_TEST(told(0) == both);
	BOOST_TEST(fake::now.asked.back() == "fake-all");
}

BOOST_AUTO_TEST_CASE(never_twice, *description(
    "if a route fails in the middle, the next one delivers only the others"))
{
	for (const int error : {ENOMEM, EMFILE, EPERM, EOPNOTSUPP}) {
		fake::now.each_ends = error;
		BOOST_TEST(told(error) == both);
		BOOST_TEST(fake::now.asked.back() == "fake-all");
	}
}

BOOST_AUTO_TEST_CASE(nothing_reported_nothing_begun, *description(
    "A job goes through its routes in order until one succeeds"))
{
	fake::now.threads.clear();
	fake::now.each_ends = EPERM;
	BOOST_TEST(told(EPERM).empty());
	BOOST_TEST(fake::now.asked == (std::vector<std::string>{"fake-each",
	    "fake-all"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
