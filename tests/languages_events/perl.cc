// Tests that events of programs in Perl are counted under the functions that
// these say.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <array>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "lib/programs.h"
#include "require.h"

#include "check.h"
#include "counted_program.h"
#include "watched.h"

BOOST_AUTO_TEST_SUITE(languages_events_perl)

namespace {

using boost::unit_test::description;

const std::vector<std::string> &
perls()
{
	static const std::vector<std::string> all = lib::runnable(
	    "/usr/bin/perl", "STACK9_PERLS");
	return all;
}

// Gives what is said of the frame after the innermost one: its name, and its
// file; "": nothing.
std::array<std::string, 2>
parts_of(const std::string &stack)
{
	std::array<std::string, 2> to;
	std::istringstream all(stack);
	std::string word;
	for (int i = 0; i < 5 && std::getline(all, word, '|'); i++)
		if (i == 3 && word != "?")
			to[0] = word;
		else if (i == 4)
			to[1] = word;
	return to;
}

// Checks the stacks that have this text: there are so many events, and none has
// a name or a file that is not said, or that is said of others.
void
check_parts(const stack_counts &said, const stack_counts &seen,
    const std::string &of, std::uint64_t wanted)
{
	std::map<std::string, std::string> files;
	std::map<std::string, std::uint64_t> left;
	std::uint64_t events = 0, whole = 0;
	for (const auto &[stack, n] : said) {
		const auto [name, file] = parts_of(stack);
		files[name] = file;
		left[name] += n;
		left[file] += n;
	}
	for (const auto &[stack, n] : seen) {
		if (stack.find(of) == stack.npos)
			continue;
		const auto [name, file] = parts_of(stack);
		events += n;
		whole += name.empty() || file.empty() ? 0 : n;
		BOOST_TEST((name.empty() || file.empty() ||
		    files[name] == file), n << " of " << stack);
		for (const std::string &part : {name, file}) {
			BOOST_TEST((part.empty() || left[part] >= n),
			    n << " of " << stack);
			left[part] -= part.empty() ? 0 : n;
		}
	}
	BOOST_TEST(events == wanted);
	BOOST_TEST_MESSAGE(whole << " of " << events << " are whole");
}

} // namespace

BOOST_AUTO_TEST_CASE(each_event_is_under_the_stack_that_perl_says,
    *needs("bpf") * description("DESCRIPTION: Those of Perl are found so if "
    "the main thread has run Perl."))
{
	for (const std::string &perl : perls()) {
		BOOST_TEST_CONTEXT(perl) {
			const counted_events e({perl, COUNTED_PERL}, "perl",
			    "run 1000");
			check_equal(e.said, e.seen, "|main::all_kinds|");
			BOOST_TEST(e.said.size() > 28u);
			BOOST_TEST(e.guessed == 0u);
			BOOST_TEST(e.misplaced == 0u);
			BOOST_TEST(e.tally.no_room == 0u);
		}
	}
}

BOOST_AUTO_TEST_CASE(copied_stacks_of_perl_have_them_too, *needs("bpf")
    * description("the functions of a stack that is copied are found in the "
    "kernel, too"))
{
	for (const std::string &perl : perls()) {
		BOOST_TEST_CONTEXT(perl) {
			const counted_events e({perl, COUNTED_PERL}, "perl",
			    "run 10", STACK9_WATCH_COPY);
			check_equal(e.said, e.seen, "|main::all_kinds|");
			BOOST_TEST(e.guessed == 0u);
			BOOST_TEST(e.tally.walked == 0u);
		}
	}
}

// Each has an interpreter of its own, with functions of its own.
BOOST_AUTO_TEST_CASE(each_thread_of_perl_has_its_own, *needs("bpf")
    * description("the functions of each thread of Perl are found"))
{
	for (const std::string &perl : perls()) {
		BOOST_TEST_CONTEXT(perl) {
			const counted_events e({perl, COUNTED_PERL}, "perl",
			    "threads 100");
			check_equal(e.said, e.seen, "|main::all_kinds|");
			BOOST_TEST(e.guessed == 0u);
		}
	}
}

// Closures share the name of their code.
BOOST_AUTO_TEST_CASE(closures_of_one_code_are_one_function, *needs("bpf")
    * description("calls of a thousand closures of Perl are counted under as "
    "many stacks as there are lines"))
{
	for (const std::string &perl : perls()) {
		BOOST_TEST_CONTEXT(perl) {
			const counted_events e({perl, COUNTED_PERL}, "perl",
			    "closures 1000");
			check_equal(e.said, e.seen, "|main::all_closures|");
			BOOST_TEST(e.said.size() == 2u);
			BOOST_TEST(e.tally.stacks < 20u);
		}
	}
}

// Functions of other names, and of other files, follow one another at one
// address.
BOOST_AUTO_TEST_CASE(a_sub_that_is_gone_has_its_name_and_file_or_none,
    *needs("bpf") * description("DESCRIPTION: A function that is gone before "
    "its name has been read is ?, and never has the name of one that came to "
    "its place."))
{
	constexpr std::uint64_t all = 3000;
	for (const std::string &perl : perls()) {
		BOOST_TEST_CONTEXT(perl) {
			const counted_events e({perl, COUNTED_PERL}, "perl",
			    "fresh " + std::to_string(all));
			BOOST_TEST(e.said.size() == 14u);
			check_parts(e.said, e.seen, "|main::all_fresh|", all);
		}
	}
}

// The contexts that could not be read may have called the others.
BOOST_AUTO_TEST_CASE(a_part_of_the_contexts_has_no_outermost_function,
    *needs("bpf") * description("of a part of the contexts the outermost "
    "function is not known"))
{
	counted_program p({PRETENDED_PERL, "wild"});
	watched w("syscall:getsid", p.pid(), "perl");
	for (int i = 0; i < 20; i++)
		w.run(p, "run");
	w.stop();
	for (const auto &[stack, events] : w.count())
		BOOST_TEST(stack == "");
	BOOST_TEST(w.tally().lacking > 0u);
}

// The name is where the first one was, as are all that lead to it.
BOOST_AUTO_TEST_CASE(a_name_at_the_place_of_another_one_is_its_own,
    *needs("bpf") * description("DESCRIPTION: A function that is gone before "
    "its name has been read is ?, and never has the name of one that came to "
    "its place."))
{
	for (const char *const how : {"right", "by glob"}) {
		BOOST_TEST_CONTEXT(how) {
			counted_program p({PRETENDED_PERL, how});
			watched w("syscall:getsid", p.pid(), "perl");
			w.warm(p, "run");
			p.ask("rename");
			w.count();
			w.run(p, "run");
			w.stop();
			std::uint64_t of_second = 0;
			for (const auto &[stack, events] : w.count())
				if (stack.find("::second|") != stack.npos)
					of_second += events;
			BOOST_TEST(of_second == 1000u);
		}
	}
}

BOOST_AUTO_TEST_SUITE_END()
