// Tests that events of programs in Ruby are counted under the functions that
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

BOOST_AUTO_TEST_SUITE(languages_events_ruby)

namespace {

using boost::unit_test::description;

const std::vector<std::string> &
rubies()
{
	static const std::vector<std::string> all = lib::runnable(
	    "/usr/bin/ruby", "STACK9_RUBIES");
	return all;
}

// Takes the class off the methods that are made.
stack_counts
without_class(const stack_counts &from)
{
	const std::string whole = "|Object#made_", part = "|made_";
	stack_counts all;
	for (const auto &[whole_stack, n] : from) {
		std::string stack = whole_stack;
		if (const auto at = stack.find(whole); at != stack.npos)
			stack.replace(at, whole.size(), part);
		all[stack] += n;
	}
	return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(each_event_is_under_the_stack_that_ruby_says,
    *needs("bpf") * description("DESCRIPTION: Those of Ruby are found so if "
    "the main thread has run Ruby."))
{
	for (const std::string &ruby : rubies()) {
		BOOST_TEST_CONTEXT(ruby) {
			const counted_events e({ruby, COUNTED_RUBY}, "ruby",
			    "run 1000");
			check_equal(e.said, e.seen, "|Object#ask_of_Object|");
			BOOST_TEST(e.said.size() > 40u);
			BOOST_TEST(e.guessed == 0u);
			BOOST_TEST(e.tally.no_room == 0u);
		}
	}
}

BOOST_AUTO_TEST_CASE(copied_stacks_have_them_too, *needs("bpf")
    * description("the functions of a stack that is copied are found in the "
    "kernel, too"))
{
	for (const std::string &ruby : rubies()) {
		BOOST_TEST_CONTEXT(ruby) {
			const counted_events e({ruby, COUNTED_RUBY}, "ruby",
			    "run 10", STACK9_WATCH_COPY);
			check_equal(e.said, e.seen, "|Object#ask_of_Object|");
			BOOST_TEST(e.guessed == 0u);
			BOOST_TEST(e.tally.walked == 0u);
		}
	}
}

// Methods of other names follow one another at one address.  The class may be
// gone before the code is.
BOOST_AUTO_TEST_CASE(a_method_that_is_gone_has_its_name_or_none,
    *needs("bpf") * description("DESCRIPTION: A function that is gone before "
    "its name has been read is ?, and never has the name of one that came to "
    "its place."))
{
	constexpr std::uint64_t all = 3000;
	for (const std::string &ruby : rubies()) {
		BOOST_TEST_CONTEXT(ruby) {
			const counted_events e({ruby, COUNTED_RUBY}, "ruby",
			    "fresh " + std::to_string(all));
			check_gone(e.said, without_class(e.seen),
			    "all_fresh_of_Object", all);
			BOOST_TEST(e.said.size() == all);
		}
	}
}

BOOST_AUTO_TEST_SUITE_END()
