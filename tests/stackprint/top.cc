// Tests stackprint --top on a real terminal made by tmux.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <boost/test/unit_test.hpp>

#include "child.h"
#include "followed.h"
#include "require.h"
#include "tmux.h"

using boost::unit_test::description;

namespace {

std::size_t
longest_line(const std::string &screen)
{
	std::istringstream in(screen);
	std::size_t longest = 0;
	for (std::string line; std::getline(in, line);)
		longest = std::max(longest, line.size());
	return longest;
}

std::string
command(const followed &f)
{
	return std::string(STACKPRINT) + " --top -p " + std::to_string(f.pid) +
	    "; echo status $?; sleep 100";
}

} // namespace

BOOST_AUTO_TEST_SUITE(top, *needs("bpf") * needs("tmux"))

BOOST_AUTO_TEST_CASE(from_groups_to_a_wait, *description(
    "open the chosen group, which shows its stack and its threads, or the "
    "chosen thread, which shows its stacks and what it waits for"))
{
	const followed f(20);
	const tmux t(60, 20, command(f));
	const std::string groups = t.until("COUNT");
	BOOST_TEST(has(groups, "stackprint --top   22 threads"));
	BOOST_TEST(has(groups, "    20  90.9 "));
	BOOST_TEST(!has(groups, "LONGEST"));
	BOOST_TEST(longest_line(groups) <= 60u);
	t.press("Enter");
	const std::string threads = t.until("TID");
	BOOST_TEST(has(threads, "  kernel  "));
	BOOST_TEST(has(threads, "sleeping"));
	t.press("Enter");
	BOOST_TEST(!t.until("waits   for signal").empty());
	t.press("Left");
	BOOST_TEST(!t.until("TID").empty());
	t.press("Left");
	BOOST_TEST(!t.until("COUNT").empty());
	t.press("q");
	BOOST_TEST(!t.until("status 0").empty());
}

// The sleepers are many; the one that is woken all the time is alone.
BOOST_AUTO_TEST_CASE(what_ran_comes_first, *description(
    "--top: The groups come first that most threads ran in since the second "
    "before, then the largest ones of programs, and then those of the kernel."))
{
	const followed f(20, true);
	const tmux t(60, 20, command(f));
	const auto first_row = [](const std::string &screen) {
		const auto heading = screen.find("COUNT");
		return heading == screen.npos ? std::string() :
		    screen.substr(screen.find('\n', heading) + 1, 7);
	};
	BOOST_TEST(!t.when([&](const std::string &now) {
		return first_row(now) == "     1 " && has(now, "    20  87.0 ");
	}).empty());
}

BOOST_AUTO_TEST_CASE(search_sort_freeze_and_write)
{
	const followed f(3);
	const std::string file = "/tmp/stack9-top-" + std::to_string(getpid());
	const tmux t(200, 24, command(f));
	BOOST_TEST(has(t.until("COUNT"), "LONGEST"));
	t.press("/");
	t.press("pipe_read");
	t.press("Enter");
	const std::string found = t.until("only groups with: pipe_read");
	BOOST_TEST(has(found, "pipe_read"));
	BOOST_TEST(!has(found, "     3  "));
	t.press("Left");
	BOOST_TEST(!t.until("     3  ").empty());
	BOOST_TEST(!t.until("sort: ran").empty());
	t.press("s");
	BOOST_TEST(!t.until("sort: count").empty());
	t.press("s");
	BOOST_TEST(!t.until("sort: time").empty());
	t.press("Space");
	BOOST_TEST(!t.until("FROZEN").empty());
	t.press("Space");
	t.press("w");
	t.press(file);
	t.press("Enter");
	BOOST_TEST(!t.until("written to " + file).empty());
	std::ifstream in(file);
	const std::string written{std::istreambuf_iterator<char>(in), {}};
	BOOST_TEST(has(written, "stackprint --top   5 threads"));
	BOOST_TEST(has(written, "pipe_read"));
	std::filesystem::remove(file);
	t.press("C-c");
	BOOST_TEST(!t.until("status 0").empty());
}

BOOST_AUTO_TEST_CASE(another_size_and_an_end, *description(
    "A process that ends leaves what was shown last."))
{
	followed f(3);
	const tmux t(60, 20, command(f));
	BOOST_TEST(!has(t.until("COUNT"), "LONGEST"));
	t.resize(200, 30);
	BOOST_TEST(!t.until("LONGEST").empty());
	t.resize(61, 10);
	// The last line comes with the rest of a screen of the new size.
	const std::string small = t.when([](const std::string &now) {
		return has(now, "COUNT") && has(now, "q quit") &&
		    !has(now, "LONGEST");
	});
	BOOST_TEST(longest_line(small) <= 61u);
	BOOST_TEST(has(small, "q quit"));
	f.kill_and_wait();
	const std::string end = t.until("ALL THREADS HAVE ENDED");
	BOOST_TEST(has(end, "     3  "));
	t.press("q");
	BOOST_TEST(!t.until("status 0").empty());
}

BOOST_AUTO_TEST_SUITE_END()
