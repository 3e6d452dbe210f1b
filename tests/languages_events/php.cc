// Tests that events of programs in PHP are counted under the functions that
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

BOOST_AUTO_TEST_SUITE(languages_events_php)

namespace {

using boost::unit_test::description;

const std::vector<std::string> &
programs()
{
	static const std::vector<std::string> all = lib::runnable(
	    "/usr/bin/php", "STACK9_PHPS");
	return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(each_event_is_under_the_stack_that_php_says,
    *needs("bpf") * description("DESCRIPTION: Those of PHP without threads "
    "are found so, too."))
{
	for (const std::string &php : programs()) {
		BOOST_TEST_CONTEXT(php) {
			const counted_events e({php, COUNTED_PHP}, "php",
			    "run 1000");
			check_equal(e.said, e.seen, "|all_kinds|");
			BOOST_TEST(e.said.size() > 14u);
			BOOST_TEST(e.guessed == 0u);
			BOOST_TEST(e.tally.no_room == 0u);
		}
	}
}

// Closures of other code follow one another at one address.
BOOST_AUTO_TEST_CASE(a_closure_that_is_gone_has_its_line_or_none,
    *needs("bpf") * description("a function of PHP that is gone has not the "
    "line of one that came to its place"))
{
	constexpr std::uint64_t all = 3000;
	for (const std::string &php : programs()) {
		BOOST_TEST_CONTEXT(php) {
			const counted_events e({php, COUNTED_PHP}, "php",
			    "fresh " + std::to_string(all));
			check_gone(e.said, e.seen, "|all_fresh|", all);
			BOOST_TEST(e.said.size() == 7u);
		}
	}
}

BOOST_AUTO_TEST_SUITE_END()
