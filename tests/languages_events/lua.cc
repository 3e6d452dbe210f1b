// Tests that events of programs in Lua are counted under the functions that
// these say.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cmath>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "languages_lua/programs.h"
#include "require.h"

#include "check.h"
#include "counted_program.h"
#include "watched.h"

BOOST_AUTO_TEST_SUITE(languages_events_lua)

namespace {

using boost::unit_test::description;

constexpr char event[] = "syscall:clock_gettime";

// LuaJIT has no functions at events.
std::vector<std::string>
luas_at_events()
{
	std::vector<std::string> all = luas();
	std::erase_if(all, [](const std::string &name) {
		return name.find("jit") != name.npos;
	});
	return all;
}

std::vector<std::string>
command_of(const std::string &lua)
{
	return {"/usr/bin/env", "-C", FOLDER, lua, "counted.lua"};
}

counted_events
count(const std::string &lua, const std::string &line, unsigned int flags = 0)
{
	return {command_of(lua), "lua", line, flags, event};
}

// Takes off what is outermost: a function of C that has no name.
stack_counts
without_outermost(const stack_counts &from)
{
	const std::string outermost = "|?||0";
	stack_counts all;
	for (const auto &[stack, n] : from)
		all[stack.ends_with(outermost) ? stack.substr(0,
		    stack.size() - outermost.size()) : stack] += n;
	return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(each_event_is_under_the_stack_that_lua_says,
    *needs("bpf") * description("the functions of Lua are found by the words "
    "of the stack"))
{
	for (const std::string &lua : luas_at_events()) {
		BOOST_TEST_CONTEXT(lua) {
			const counted_events e = count(lua, "run 1000");
			check_equal(e.said, e.seen, "|all_kinds|");
			BOOST_TEST(e.said.size() > 26u);
			BOOST_TEST(e.guessed == 0u);
			BOOST_TEST(e.misplaced == 0u);
			BOOST_TEST(e.tally.no_room == 0u);
		}
	}
}

BOOST_AUTO_TEST_CASE(copied_stacks_of_lua_have_them_too, *needs("bpf")
    * description("the functions of a stack that is copied are found in the "
    "kernel, too"))
{
	for (const std::string &lua : luas_at_events()) {
		BOOST_TEST_CONTEXT(lua) {
			const counted_events e = count(lua, "run 10",
			    STACK9_WATCH_COPY);
			check_equal(e.said, e.seen, "|all_kinds|");
			BOOST_TEST(e.guessed == 0u);
			BOOST_TEST(e.tally.walked == 0u);
		}
	}
}

// Each closure is another object.
BOOST_AUTO_TEST_CASE(closures_of_lua_are_one_function, *needs("bpf")
    * description("calls of a thousand closures of Lua are counted under as "
    "many stacks as there are lines"))
{
	for (const std::string &lua : luas_at_events()) {
		BOOST_TEST_CONTEXT(lua) {
			const counted_events e = count(lua, "closures 1000");
			check_equal(e.said, e.seen, "|all_closures|");
			BOOST_TEST(e.said.size() == 1u);
			BOOST_TEST(e.tally.stacks < 20u);
		}
	}
}

// Functions of other names, and of other files, follow one another at one
// address.
BOOST_AUTO_TEST_CASE(a_function_of_lua_that_is_gone_has_its_name_or_none,
    *needs("bpf") * description("DESCRIPTION: A function that is gone before "
    "its name has been read is ?, and never has the name of one that came to "
    "its place."))
{
	constexpr std::uint64_t all = 2000;
	for (const std::string &lua : luas_at_events()) {
		BOOST_TEST_CONTEXT(lua) {
			const counted_events e = count(lua, "fresh " +
			    std::to_string(all));
			BOOST_TEST(e.said.size() == 14u);
			const stack_counts seen = without_outermost(e.seen);
			check_gone(without_outermost(e.said), seen, "all_fresh",
			    all);
			std::uint64_t named = 0;
			for (const auto &[stack, n] : seen)
				if (stack.find("|gone_") != stack.npos)
					named += n;
			BOOST_TEST_MESSAGE(named << " have names");
			BOOST_TEST(named > 0u);
		}
	}
}

// The text is where the first one was, as are all that lead to it.
BOOST_AUTO_TEST_CASE(a_source_at_the_place_of_another_one_is_its_own,
    *needs("bpf") * description("DESCRIPTION: A function that is gone before "
    "its name has been read is ?, and never has the name of one that came to "
    "its place."))
{
	counted_program p({PRETENDED_LUA, "right"});
	watched w("syscall:getsid", p.pid(), "lua");
	w.warm(p, "run");
	p.ask("rename");
	w.count();
	w.run(p, "run");
	w.stop();
	std::uint64_t of_second = 0;
	for (const auto &[stack, events] : w.count())
		if (stack.find("|second|") != stack.npos)
			of_second += events;
	BOOST_TEST(of_second == 1000u);
}

// The functions that the kernel has no room for are said to lack.
BOOST_AUTO_TEST_CASE(a_deep_stack_of_lua_has_its_innermost_functions,
    *needs("bpf") * description("DESCRIPTION: beyond 256 of them"))
{
	for (const std::string &lua : luas_at_events()) {
		BOOST_TEST_CONTEXT(lua) {
			counted_program p(command_of(lua));
			watched w(event, p.pid(), "lua");
			w.warm(p, "warm");
			w.count();
			const std::uint64_t before = w.tally().lacking;
			w.run(p, "deep 1000");
			w.stop();
			std::uint64_t deep = 0;
			for (const auto &[stack, n] : w.count())
				if (stack.find("|ask|") != stack.npos &&
				    stack.size() > 200 * 20)
					deep += n;
			BOOST_TEST(deep == 1u);
			BOOST_TEST(w.tally().lacking == before + 1);
			BOOST_TEST(w.guessed > 200u);
		}
	}
}

// The time of a program is in two functions, and it has measured both.
BOOST_AUTO_TEST_CASE(shares_of_a_profile_of_lua_are_right, *needs("bpf")
    * description("a profile by cpu-clock has the shares that the program "
    "says"))
{
	constexpr int seconds = 5;
	for (const std::string &lua : luas_at_events()) {
		BOOST_TEST_CONTEXT(lua) {
			counted_program p(command_of(lua));
			watched w("cpu-clock:997", p.pid(), "lua");
			w.run(p, "busy 1");
			w.count();
			const stack_counts before = w.count();
			const stack_counts said = w.run(p, "busy " +
			    std::to_string(seconds));
			w.stop();
			double less = 0, more = 0, all = 0, spins = 0;
			for (const auto &[stack, n] : w.count()) {
				const auto at = before.find(stack);
				const double its = double(n) - (at ==
				    before.end() ? 0 : double(at->second));
				all += its;
				spins += stack.starts_with("spin|") ? its : 0;
				if (stack.find("|less|") != stack.npos)
					less += its;
				if (stack.find("|more|") != stack.npos)
					more += its;
			}
			const double seen_share = more / (less + more),
			    said_share = double(said.at("more")) /
			    double(said.at("less") + said.at("more")),
			    deviation = std::sqrt(said_share *
			    (1 - said_share) / all);
			BOOST_TEST(all > 100 * seconds);
			BOOST_TEST(std::abs(seen_share - said_share) <
			    5 * deviation, seen_share << " in place of " <<
			    said_share << " of " << all);
			BOOST_TEST(less + more > 0.95 * all);
			BOOST_TEST(spins > 0.95 * all);
		}
	}
}

BOOST_AUTO_TEST_SUITE_END()
