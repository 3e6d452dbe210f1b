// Tests that events of programs in Python are counted under the functions that
// these say.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "lib/programs.h"
#include "require.h"

#include "check.h"
#include "counted_program.h"
#include "watched.h"

BOOST_AUTO_TEST_SUITE(languages_events_python)

namespace {

using boost::unit_test::description;

const std::vector<std::string> &
pythons()
{
	static const std::vector<std::string> all = lib::runnable(
	    "/usr/bin/python3", "STACK9_PYTHONS");
	return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(each_event_is_under_the_stack_that_python_says,
    *needs("bpf") * description("DESCRIPTION: The functions of CPython that "
    "a thread runs at an event are found in the kernel, while the thread is "
    "in it."))
{
	for (const std::string &python : pythons()) {
		BOOST_TEST_CONTEXT(python) {
			const counted_events e({python, COUNTED}, "python",
			    "run 1000");
			check_equal(e.said, e.seen, "|in_thread|");
			BOOST_TEST(e.said.size() > 30u);
			BOOST_TEST(e.guessed == 0u);
			BOOST_TEST(e.misplaced == 0u);
			BOOST_TEST(e.tally.no_room == 0u);
		}
	}
}

// Functions that follow one another at one address have other names, and first
// lines of which some are equal.
BOOST_AUTO_TEST_CASE(a_function_that_is_gone_has_its_name_or_none,
    *needs("bpf") * description("DESCRIPTION: A function that is gone before "
    "its name has been read is ?, and never has the name of one that came to "
    "its place."))
{
	constexpr std::uint64_t all = 3000;
	for (const std::string &python : pythons()) {
		BOOST_TEST_CONTEXT(python) {
			const counted_events e({python, COUNTED}, "python",
			    "fresh " + std::to_string(all));
			check_gone(e.said, e.seen, "|all_fresh|", all);
			BOOST_TEST(e.said.size() == all);
		}
	}
}

BOOST_AUTO_TEST_SUITE_END()
