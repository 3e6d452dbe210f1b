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
			counted_program p({python, COUNTED});
			watched w("syscall:getsid", p.pid(), "python");
			w.warm(p, "warm");
			const stack_counts said = w.run(p, "run 1000");
			w.stop();
			const stack_counts &seen = w.count();
			check_equal(said, seen, "|in_thread|");
			BOOST_TEST(said.size() > 30u);
			BOOST_TEST(w.guessed == 0u);
			BOOST_TEST(w.misplaced == 0u);
			BOOST_TEST(w.tally().no_room == 0u);
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
			counted_program p({python, COUNTED});
			watched w("syscall:getsid", p.pid(), "python");
			w.warm(p, "warm");
			const stack_counts said = w.run(p, "fresh " +
			    std::to_string(all));
			w.stop();
			check_gone(said, w.count(), "|all_fresh|", all);
			BOOST_TEST(said.size() == all);
		}
	}
}

BOOST_AUTO_TEST_SUITE_END()
