// Reads stacks that stackprint prints, and compares them with what /proc and
// the programs of the targets say.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "told_stacks.h"

#include <cstdint>
#include <cstdio>
#include <set>
#include <sstream>

#include <boost/test/unit_test.hpp>
#include <unistd.h>

#include "child.h"
#include "outcomes.h"

std::vector<json>
stackprint(std::vector<std::string> args)
{
	args.insert(args.begin(), {STACKPRINT, "--json"});
	const said s = run(args);
	std::vector<json> all;
	std::istringstream text(s.out);
	for (std::string line; std::getline(text, line);)
		all.push_back(json::parse(line));
	return all;
}

std::vector<std::string>
names_of(const json &stack)
{
	std::vector<std::string> all;
	for (const json &f : stack.value("frames", json::array())) {
		std::string name = f.value("name", "??");
		if (f.contains("offset")) {
			char offset[32];
			std::snprintf(offset, sizeof offset, "+0x%x",
			    f["offset"].get<unsigned int>());
			name += offset;
		}
		all.push_back(name.substr(0, name.find('/')));
	}
	return all;
}

bool
has_frame(const json &stack, const std::string &part)
{
	for (const std::string &name : names_of(stack))
		if (name.find(part) != name.npos)
			return true;
	return false;
}

std::string
outcome_of(const json &stack, const char *job)
{
	if (stack.value("frames", json::array()).empty())
		return "refused: " + stack.value("reason", "?");
	const std::string route = by(stack.value("route", "?"), job);
	return stack.value("complete", false) ? route : route +
	    ", in part: " + stack.value("reason", "?");
}

std::string
compare(const std::vector<json> &all, const target &t, const char *job)
{
	std::set<std::string> how;
	for (const pid_t tid : t.tids()) {
		const json *found = nullptr;
		for (const json &j : all)
			if (j.value("tid", 0) == tid)
				found = &j;
		BOOST_TEST_REQUIRE(found != nullptr, tid);
		const json &kernel = (*found)["kernel"];
		BOOST_TEST(names_of(kernel) == proc_stack(tid),
		    boost::test_tools::per_element());
		how.insert(outcome_of(kernel, job));
	}
	BOOST_TEST(how.size() == 1u);
	return *how.begin();
}

std::string
compare_user(const std::vector<json> &all, const target &t, const char *job)
{
	std::set<std::string> how;
	for (const json &j : all) {
		if (!j.contains("user") || j.value("pid", 0) != t.pid())
			continue;
		const std::string text = outcome_of(j["user"], job);
		if (text.find("refused") != 0)
			BOOST_TEST(has_frame(j["user"], "target_"), j.dump());
		how.insert(text);
	}
	BOOST_TEST_REQUIRE(!how.empty());
	std::string text;
	for (const std::string &one : how)
		text += (text.empty() ? "" : "; ") + one;
	return text;
}

namespace {

bool
serves(const std::string &route, const char *job)
{
	for (const route_reported &r : routes())
		if (r.job == job && r.name == route)
			return true;
	return false;
}

} // namespace

json
while_it_runs(const char *option, const char *side, const target &t,
    const char *job)
{
	json stack;
	for (int i = 0; i < 500; i++) {
		stack = stackprint({option, std::to_string(t.pid())}).at(0)
		    [side];
		const std::string why = stack.value("why", "");
		if (names_of(stack).empty() ? why == "machine" ||
		    why == "rights" || why == "on_cpu" :
		    serves(stack.value("route", ""), job))
			break;
	}
	return stack;
}
