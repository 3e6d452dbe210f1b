// Tests that events of programs in Java and JavaScript are counted under the
// functions that these say, interpreted and compiled.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <unistd.h>

#include "lib/programs.h"
#include "require.h"

#include "check.h"
#include "counted_program.h"
#include "watched.h"

BOOST_AUTO_TEST_SUITE(languages_events_compiled)

namespace {

using boost::unit_test::description;

// Rounds, so that no more is copied than the ring has room for.
constexpr int rounds = 20;

// Functions of counted.js that are made at each call: one that is moved before
// it was ever seen in its place lacks.
constexpr std::uint64_t closures = 5;

boost::unit_test::decorator::precondition
has_java()
{
	return needs("java", [] {
		return lib::runnable("/usr/bin/java", "STACK9_JAVAS").empty() ||
		    access(CLASSES "/Counted.class", R_OK) != 0 ?
		    "there is no java, or was no javac" : "";
	});
}

boost::unit_test::decorator::precondition
has_node()
{
	return needs("node", [] {
		return lib::runnable("/usr/bin/node", "STACK9_NODES").empty() ?
		    "there is no node" : "";
	});
}

// Has the program run, and gives what it says of all rounds.
stack_counts
run_all(watched &w, counted_program &p)
{
	stack_counts said;
	for (int i = 0; i < rounds; i++)
		for (const auto &[stack, n] : w.run(p, "run 10"))
			said[stack] += n;
	return said;
}

// Drops the frames inside the first one of the program's class, and those of
// the machine outside of its last one.
stack_counts
of_class(const stack_counts &all, const std::string &name)
{
	stack_counts kept;
	for (const auto &[stack, n] : all) {
		const std::size_t at = stack.starts_with(name) ? 0 :
		    stack.find("|" + name);
		const std::size_t end = stack.find("|StubRoutines::");
		kept[at == stack.npos ? "" : stack.substr(at + (at != 0),
		    end - (at + (at != 0)))] += n;
	}
	return kept;
}

// At events the functions of V8 have no class before their name.
stack_counts
without_classes(const stack_counts &all)
{
	stack_counts kept;
	for (const auto &[stack, n] : all) {
		std::string line;
		std::size_t words = 0, begin = 0;
		for (std::size_t end = 0; end != stack.npos; begin = end + 1) {
			end = stack.find('|', begin);
			std::string word = stack.substr(begin, end - begin);
			if (words++ % 3 == 0)
				word.erase(0, word.rfind('.') + 1);
			line += (line.empty() ? "" : "|") + word;
		}
		kept[line] += n;
	}
	return kept;
}

} // namespace

BOOST_AUTO_TEST_CASE(each_event_is_under_the_methods_that_java_says,
    *needs("bpf") * has_java() * description("DESCRIPTION: The stacks of "
    "processes that run HotSpot or V8 are copied, and their functions are "
    "found in the copy, as these runtimes have all of that on the stack."))
{
	for (const char *const mode : {"-Xint", "-XX:TieredStopAtLevel=1",
	    "-Xcomp"}) {
		BOOST_TEST_CONTEXT(mode) {
			counted_program p({lib::runnable("/usr/bin/java",
			    "STACK9_JAVAS").front(), mode, "-cp", CLASSES,
			    "Counted"});
			p.ask("run 200");
			watched w("syscall:sched_yield", p.pid(), "java");
			w.warm(p, "warm");
			const stack_counts said = run_all(w, p);
			w.stop();
			check_equal(said, of_class(w.count(), "Counted."),
			    "|Counted.work|");
			BOOST_TEST(said.size() > 8u);
			BOOST_TEST(w.tally().no_room == 0u);
		}
	}
}

BOOST_AUTO_TEST_CASE(each_event_is_under_the_functions_that_node_says,
    *needs("bpf") * has_node() * description("DESCRIPTION: The stacks of "
    "processes that run HotSpot or V8 are copied, and their functions are "
    "found in the copy, as these runtimes have all of that on the stack."))
{
	for (const char *const mode : {"--no-sparkplug",
	    "--always-sparkplug"}) {
		BOOST_TEST_CONTEXT(mode) {
			counted_program p({lib::runnable("/usr/bin/node",
			    "STACK9_NODES").front(), "--no-opt", mode, SCRIPT});
			p.ask("run 2000");
			watched w("syscall:access", p.pid(), "javascript",
			    SCRIPT);
			w.warm(p, "warm");
			const stack_counts said = without_classes(
			    run_all(w, p));
			w.stop();
			const std::uint64_t odd = not_said(said, w.count(),
			    "|work|");
			BOOST_TEST(odd <= w.tally().lacking);
			BOOST_TEST(odd <= closures);
			BOOST_TEST(said.size() > 10u);
			BOOST_TEST(w.tally().no_room == 0u);
		}
	}
}

BOOST_AUTO_TEST_CASE(an_optimised_function_that_was_moved_has_its_name,
    *needs("bpf") * has_node() * description("DESCRIPTION: A function of V8 "
    "that its collector has moved since the event has its name by its "
    "bytecode or its optimised code, and lacks if these are gone, too."))
{
	counted_program p({lib::runnable("/usr/bin/node",
	    "STACK9_NODES").front(), SCRIPT});
	p.ask("run 2000");
	watched w("syscall:access", p.pid(), "javascript", SCRIPT);
	w.warm(p, "warm");
	const stack_counts said = without_classes(run_all(w, p));
	w.stop();
	const std::uint64_t odd = not_said(said, w.count(), "|work|");
	BOOST_TEST(odd <= w.tally().lacking);
	BOOST_TEST(odd <= closures);
	BOOST_TEST(w.tally().no_room == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
