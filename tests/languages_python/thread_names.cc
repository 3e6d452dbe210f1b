// Compares names of threads with those that threading.enumerate() gives.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "languages_asked/names.h"
#include "lib/programs.h"
#include "python_program.h"
#include "require.h"

BOOST_AUTO_TEST_SUITE(names_of_threads)

BOOST_AUTO_TEST_CASE(each_name_is_as_threading_says, *has_python() *
    needs("bpf") * boost::unit_test::description("ISSUE: thread names of the "
    "runtimes (threading.Thread's name, Java's) in the header line"))
{
	for (const std::string &python : pythons()) {
		const python_program p(python, NAMES);
		const thread_names said = names_in(p.lines());
		BOOST_TEST(said.size() == 24u);
		BOOST_TEST_CONTEXT(python) {
			compare_names(said, names_of(p.pid()));
			// The second reading is by what the first one has kept.
			compare_names(said, names_of(p.pid()));
		}
	}
}

BOOST_AUTO_TEST_CASE(stackprint_has_the_name, *has_python() * needs("bpf") *
    boost::unit_test::description("The header has, after the kernel's name for "
    "the thread, the name that a runtime has for it, in quotes."))
{
	const python_program p(pythons().front(), NAMES);
	const thread_names said = names_in(p.lines());
	const auto one = std::find_if(said.begin(), said.end(),
	    [](const auto &n) { return n.second == "is renamed"; });
	BOOST_REQUIRE(one != said.end());
	check_stackprint(STACKPRINT, p.pid(), one->first, "is renamed");
	// The files of another root are not where a core says.
	if (pythons().front() == "/usr/bin/python3")
		check_core(STACKPRINT, p.pid(), "is renamed");
}

BOOST_AUTO_TEST_SUITE_END()
