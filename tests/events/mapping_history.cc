// Tests what processes had mapped at a time, by sequences whose states are kept
// here one by one.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "backends/linux-events/watch/mapping_history.h"

BOOST_AUTO_TEST_SUITE(event_mapping_history)

namespace {

using boost::unit_test::description;
using stack9::events::mapping_history;

constexpr pid_t pid = 100;
constexpr std::uint64_t page = 4096;

std::string
line_at(std::uint64_t start, std::uint64_t end, const std::string &path)
{
	return fmt::format("{:x}-{:x} r-xp 00000000 08:01 7 {}\n", start, end,
	    path);
}

void
map_at(mapping_history &to, std::uint64_t when, std::uint64_t start,
    std::uint64_t end, const std::string &path)
{
	to.add({pid, when, start, end, path.front() == '/',
	    line_at(start, end, path)});
}

} // namespace

// The truth is a copy of all mappings after each change.
BOOST_AUTO_TEST_CASE(mappings_of_a_time_are_those_of_then, *description(
    "the mappings that a process had at a time are found after it has mapped "
    "others in their place"))
{
	std::mt19937 random(1);
	for (int round = 0; round < 50; round++) {
		mapping_history h;
		std::map<std::uint64_t, std::pair<std::uint64_t, std::string>>
		    now;
		std::vector<std::string> then;
		h.executes(pid, 1);
		for (std::uint64_t when = 10; when < 60; when++) {
			const std::uint64_t start = (1 + random() % 20) * page,
			    end = start + (1 + random() % 4) * page;
			const std::string path = fmt::format("/lib/{}.so",
			    random() % 5);
			map_at(h, when, start, end, path);
			for (auto at = now.begin(); at != now.end();)
				at = at->first < end && start <
				    at->second.first ? now.erase(at) :
				    std::next(at);
			now[start] = {end, line_at(start, end, path)};
			std::string text;
			for (const auto &[address, one] : now)
				text += one.second;
			then.push_back(text);
		}
		for (std::size_t i = 0; i < then.size(); i++) {
			BOOST_TEST(h.text_of(pid, 0, 10 + i) == then[i]);
			BOOST_TEST(h.code_ns(pid, 10 + i) == 10 + i);
			BOOST_TEST(h.has_all(pid, 10 + i));
		}
		BOOST_TEST(h.text_of(pid, 0, 5).empty());
	}
}

BOOST_AUTO_TEST_CASE(another_program_is_another_history, *description(
    "the mappings of a time before an execve(2) are those of the program "
    "before"))
{
	mapping_history h;
	h.executes(pid, 1);
	map_at(h, 10, page, 2 * page, "/bin/one");
	h.executes(pid, 20);
	map_at(h, 30, page, 2 * page, "/bin/two");
	BOOST_TEST(h.text_of(pid, 0, 15) == line_at(page, 2 * page,
	    "/bin/one"));
	BOOST_TEST(h.text_of(pid, 0, 25).empty());
	BOOST_TEST(h.text_of(pid, 0, 35) == line_at(page, 2 * page,
	    "/bin/two"));
	BOOST_TEST(h.changed_since(pid, 15));
	BOOST_TEST(!h.changed_since(pid, 25));
	BOOST_TEST(!h.has_all(pid, 15));
	BOOST_TEST(h.has_all(pid, 25));
}

BOOST_AUTO_TEST_CASE(a_child_begins_with_those_of_its_parent, *description(
    "a child that was forked has the mappings that its parent had then"))
{
	mapping_history h;
	h.executes(pid, 1);
	map_at(h, 10, page, 2 * page, "/bin/one");
	h.begins(pid + 1, pid);
	map_at(h, 20, page, 2 * page, "/bin/two");
	BOOST_TEST(h.parent_of(pid + 1) == pid);
	BOOST_TEST(h.has_all(pid + 1, 15));
	BOOST_TEST(h.text_of(pid + 1, 0, 25) == line_at(page, 2 * page,
	    "/bin/one"));
	h.begins(pid + 2, pid + 50);	// its parent is not known
	BOOST_TEST(!h.has_all(pid + 2, 15));
}

BOOST_AUTO_TEST_CASE(a_loss_leaves_nothing_that_may_be_wrong, *description(
    "after records were lost no mappings are told that may have changed"))
{
	mapping_history h;
	h.executes(pid, 1);
	map_at(h, 10, page, 2 * page, "/bin/one");
	h.forget_all(20);
	BOOST_TEST(h.text_of(pid, 0, 15).empty());
	BOOST_TEST(h.code_ns(pid) == 20u);
	BOOST_TEST(h.is_lost(pid));
	map_at(h, 21, page, 2 * page, "/bin/lost");
	BOOST_TEST(h.text_of(pid, 0, 22).empty());
	h.learn(pid, 7, line_at(page, 2 * page, "/bin/two"), 24);
	BOOST_TEST(!h.is_lost(pid));
	BOOST_TEST(h.has_all(pid, 25));
	BOOST_TEST(h.text_of(pid, 7, 25) == line_at(page, 2 * page,
	    "/bin/two"));
	BOOST_TEST(h.text_of(pid, 8, 25).empty());	// another process
	h.learn(pid + 1, 7, line_at(page, 2 * page, "/bin/two"), 24);
	BOOST_TEST(!h.has_all(pid + 1, 15));	// it was not known before
}

BOOST_AUTO_TEST_CASE(a_gap_has_what_both_its_sides_have, *description(
    "while records are lost a process has the mappings that it had before and "
    "has after"))
{
	const std::string same = line_at(page, 2 * page, "/bin/same"),
	    after = line_at(4 * page, 5 * page, "/lib/after.so") +
	    line_at(7 * page, 8 * page, "/lib/swapped.so");
	mapping_history h;
	h.executes(pid, 1);
	map_at(h, 10, page, 2 * page, "/bin/same");
	map_at(h, 11, 4 * page, 5 * page, "/lib/before.so");
	map_at(h, 12, 7 * page, 8 * page, "/lib/swapped.so");
	map_at(h, 13, 7 * page, 8 * page, "/lib/with.so");
	map_at(h, 14, 7 * page, 8 * page, "/lib/swapped.so");
	h.forget_all(20);
	h.forget_all(22);
	h.learn(pid, 7, same + after, 30);
	map_at(h, 29, 4 * page, 5 * page, "/lib/read_before.so");
	BOOST_TEST(h.has_all(pid, 15));
	BOOST_TEST(h.text_of(pid, 7, 15) == same);
	map_at(h, 40, page, 2 * page, "/bin/later");
	BOOST_TEST(h.code_ns(pid, 15) == 29u);
	BOOST_TEST(h.text_of(pid, 7, 35) == same + after);
	BOOST_TEST(h.code_ns(pid, 35) == 30u);
	BOOST_TEST(h.text_of(pid, 7, 45) == line_at(page, 2 * page,
	    "/bin/later") + after);
	h.executes(pid, 50);
	BOOST_TEST(h.text_of(pid, 7, 55).empty());
}

BOOST_AUTO_TEST_CASE(memory_of_a_jit_is_no_code_of_a_file, *description(
    "memory that a JIT maps does not make mappings of code new"))
{
	mapping_history h;
	h.executes(pid, 1);
	map_at(h, 10, page, 2 * page, "/bin/one");
	map_at(h, 20, 8 * page, 9 * page, "/lib/two.so");
	h.add({pid, 30, 10 * page, 11 * page, false, "a000-b000 r-xp x\n"});
	BOOST_TEST(h.code_ns(pid) == 20u);
}

BOOST_AUTO_TEST_SUITE_END()
