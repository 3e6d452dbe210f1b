// Tests that a stop ends just those blocking calls early that the manual lists.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "core_calls.h"
#include "lib/text.h"
#include "require.h"
#include "blocked.h"
#include "user.h"

BOOST_AUTO_TEST_SUITE(stopped)

namespace {

constexpr int looks = 10;

using words = std::set<std::string>;

// The item of --stop in a list of stackprint(1)'s: from its tag to the next
// one of the same list.
std::string
item_of_stop()
{
	std::ifstream page(STACKPRINT_1);
	std::string item;
	bool in = false;
	int depth = 0;
	for (std::string line; std::getline(page, line);) {
		if (line.starts_with(".It") && depth == 0)
			in = line.find("-stop") != std::string::npos;
		if (in && line.starts_with(".Bl"))
			depth++;
		if (in && line.starts_with(".El") && depth-- == 0)
			break;
		if (in)
			item += line + "\n";
	}
	return item;
}

// The calls that it says return early, one between commas each: a system call,
// or all calls that wait on a socket with some option.
words
named_by_the_manual()
{
	const std::string item = item_of_stop();
	std::istringstream text(item.substr(std::min(item.find("return early"),
	    item.size())));
	words all;
	std::string call;
	for (std::string word; text >> word;)
		if (word == ".Xr") {
			text >> call >> word;
		} else if (word.starts_with("SO_")) {
			call.clear();
			all.insert(word);
		} else if ((word == "," || word == "." || word == "and") &&
		    !call.empty()) {
			all.insert(std::exchange(call, ""));
		}
	return all;
}

void
look_by(const std::string &route, const blocked &v, bool at_all)
{
	const forced only(route);
	for (int i = 0; i < looks; i++) {
		if (at_all)
			core::each(STACK9_USER, v.pid(),
			    [](void *,
			    const stack9::stack_record *) { return 0; },
			    nullptr);
		else
			for (const blocked::occupant &o : v.all()) {
				capture c;
				c.save(stack9_thread{o.tid, v.pid(), 0},
				    STACK9_USER);
			}
		v.settle();
	}
}

// Nobody is left stopped or traced.
void
let_go(const blocked &v)
{
	for (const blocked::occupant &o : v.all()) {
		BOOST_TEST(lib::status_value(o.tid, "TracerPid") == "0",
		    o.call.name);
	}
}

} // namespace

BOOST_AUTO_TEST_CASE(the_manual_lists_what_returns_early, *needs("ptrace")
    * boost::unit_test::description(
    "for --stop the page tells which do"))
{
	words early, not_early;
	const auto look = [&](const std::string &route, bool at_all) {
		const blocked v;
		look_by(route, v, at_all);
		let_go(v);
		fmt::print("{}: returned early: {}\n", route, v.returned());
		for (const blocked::occupant &o : v.all())
			(o.returned() ? early : not_early).insert(
			    o.call.manual);
	};
	for (const std::string &route : stopping_routes(one_job))
		look(route, false);
	for (const std::string &route : stopping_routes(many_job))
		look(route, true);
	BOOST_REQUIRE(!early.empty());
	const words listed = named_by_the_manual();
	for (const std::string &word : early)
		BOOST_TEST(listed.count(word) == 1u, word <<
		    " returns early, and is not listed");
	for (const std::string &word : listed)
		BOOST_TEST((early.count(word) + not_early.count(word) == 0 ||
		    early.count(word) == 1), word <<
		    " is listed, and does not return early");
}

BOOST_AUTO_TEST_SUITE_END()
