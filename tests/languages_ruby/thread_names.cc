// Compares names of threads with those that Thread#name gives.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "languages_asked/names.h"
#include "require.h"
#include "ruby_program.h"

BOOST_AUTO_TEST_SUITE(names_of_threads)

BOOST_AUTO_TEST_CASE(each_name_is_as_ruby_says, *has_ruby() * needs("bpf") *
    boost::unit_test::description("ISSUE: thread names of the runtimes in the "
    "header line"))
{
	const ruby_program p("thread_names.rb", {});
	const thread_names said = names_in(p.lines());
	BOOST_TEST(said.size() == 6u);
	compare_names(said, names_of(p.pid()));
	const auto one = std::find_if(said.begin(), said.end(),
	    [](const auto &n) { return n.second.starts_with("is renamed"); });
	BOOST_REQUIRE(one != said.end());
	check_stackprint(STACKPRINT, p.pid(), one->first, one->second);
}

BOOST_AUTO_TEST_SUITE_END()
