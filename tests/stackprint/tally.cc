// Tests stackprint(1), OUTPUT: the last line adds up.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <array>
#include <cstdio>
#include <numeric>

#include "child.h"
#include "fake.h"

using boost::unit_test::description;

namespace {

// Threads, then the things that can become of one; "in user mode" or "kernel
// threads" is in the line only where one side alone is asked for.
using counts = std::array<int, 7>;

counts
tally(const said &s, const char *without = nullptr)
{
	counts c{};
	const auto start = s.out.rfind('\n', s.out.size() - 2);
	const std::string last = s.out.substr(start + 1);
	const std::string format = std::string("%d thread%*[s:] %d captured, "
	    "%d partial, ") + (without ? std::string("%d ") + without + ", " :
	    std::string()) + "%d failed, %d refused, %d gone";
	// Without the word all after it comes one earlier.
	int *const third = without ? &c[3] : &c[4];
	const int read = std::sscanf(last.c_str(), format.c_str(), &c[0], &c[1],
	    &c[2], third, third + 1, third + 2, third + 3);
	BOOST_REQUIRE(read == (without ? 7 : 6));
	return c;
}

bool
adds_up(const counts &c)
{
	return std::accumulate(c.begin() + 1, c.end(), 0) == c[0];
}

struct kind {
	pid_t	tid;
	int	of;	// counts
};

void
check_kinds(const char *option, const char *without,
    const std::vector<kind> &kinds)
{
	for (const auto &k : kinds) {
		std::vector<std::string> args = {std::to_string(k.tid)};
		if (*option != '\0')
			args.push_back(option);
		const counts c = tally(stackprint(args), without);
		BOOST_TEST(c[0] == 1);
		BOOST_TEST(c[static_cast<std::size_t>(k.of)] == 1,
		    option << " " << k.tid);
		BOOST_TEST(adds_up(c));
	}
}

} // namespace

BOOST_AUTO_TEST_SUITE(the_tally)

BOOST_AUTO_TEST_CASE(each_thread_is_counted_once,
    *description("OUTPUT: Each thread is counted once, so that the counts add "
    "up to the number of threads."))
{
	const counts all = tally(stackprint({"-p", "5000000"}));
	BOOST_TEST((all == counts{fake::roles, 11, 5, 0, 2, 1, 1}));
	BOOST_TEST(adds_up(all));
	BOOST_TEST(adds_up(tally(stackprint({"-a"}))));
	BOOST_TEST(adds_up(tally(stackprint({"-ka"}), "in user mode")));
	BOOST_TEST(adds_up(tally(stackprint({"-ua"}), "kernel threads")));
	const counts none = tally(stackprint({"-p", "5000000"}, "no-rights"));
	BOOST_TEST((none == counts{}));
}

BOOST_AUTO_TEST_CASE(each_kind_alone,
    *description("OUTPUT: captured, partial, failed, refused, gone"))
{
	check_kinds("", nullptr, {{fake::whole, 1}, {fake::user_mode, 1},
	    {fake::kthread, 1}, {fake::dying, 1}, {fake::by_pointers, 1},
	    {fake::truncated, 2}, {fake::torn_short, 2}, {fake::registers, 2},
	    {fake::traced, 2}, {fake::user_refused, 2}, {fake::torn, 4},
	    {fake::impossible, 4}, {fake::refused, 5}, {fake::zombie, 6},
	    {fake::process, 6}});
}

BOOST_AUTO_TEST_CASE(each_kind_of_kernel_stack,
    *description("OUTPUT: With -k only: the thread was running outside the "
    "kernel and has no kernel stack."))
{
	check_kinds("-k", "in user mode", {{fake::whole, 1},
	    {fake::kthread, 1}, {fake::user_refused, 1}, {fake::truncated, 2},
	    {fake::user_mode, 3}, {fake::torn, 4}, {fake::refused, 5},
	    {fake::zombie, 6}});
}

BOOST_AUTO_TEST_CASE(each_kind_of_user_stack,
    *description("OUTPUT: With -u only: they have no user stack."))
{
	check_kinds("-u", "kernel threads", {{fake::whole, 1},
	    {fake::user_mode, 1}, {fake::torn_short, 2}, {fake::registers, 2},
	    {fake::kthread, 3}, {fake::traced, 4}, {fake::user_refused, 5},
	    {fake::dying, 6}});
}

BOOST_AUTO_TEST_CASE(many_threads,
    *description("-p: Print all threads of process pid, in one pass."))
{
	const counts c = tally(stackprint({"-p", "5000100"}));
	BOOST_TEST((c == counts{fake::crowd_size, fake::crowd_size}));
}

BOOST_AUTO_TEST_CASE(files_that_lack_something_are_reported,
    *description("A message says so once a file, with what would help."))
{
	const said s = stackprint({"5000001"}, "file-notes");
	BOOST_TEST(has(s.err, "stackprint: /one\\012, /two: it has no .dwo "
	    "files\n"), s.err);
	BOOST_TEST(has(s.err, "stackprint: /two: a part is missing\n"), s.err);
	BOOST_TEST(!has(stackprint({"5000001"}).err, "/two"));
	BOOST_TEST(has(stackprint({"--json", "5000001"}, "file-notes").out,
	    "\"ended_early\":false,\"files\":[{\"file\":\"/one\\n\","
	    "\"lacks\":\"split-files\",\"meaning\":\"it has no .dwo files\"}"
	    ",{\"file\":\"/two\",\"lacks\":\"split-files\""));
	BOOST_TEST(!has(stackprint({"--json", "5000001"}).out, "\"files\""));
}

BOOST_AUTO_TEST_CASE(files_that_are_left_out_are_reported,
    *description("--limits: All that is beyond a limit is left out, and "
    "the last line says so."))
{
	BOOST_TEST(has(stackprint({"5000001"}, "left-out").out, "0 gone; left "
	    "out: files with many symbols (2), perf maps that were cut (1), "
	    "files not opened (3); --limits reads more\n"));
	BOOST_TEST(has(stackprint({"5000001"}, "no-descriptors").out,
	    "0 gone; left out: files not opened (3)\n"));
	BOOST_TEST(has(stackprint({"--json", "5000001"}, "left-out").out,
	    "\"ended_early\":false,\"left_out\":{\"symbols\":2,"
	    "\"perf-maps\":1,\"descriptors\":3}}}\n"));
	BOOST_TEST(has(stackprint({"5000001"}).out, "0 gone\n"));
	for (const char *factor : {"10", "2.5", "none"})
		BOOST_TEST(has(stackprint({"--limits", factor, "5000001"},
		    "limits").err, std::string("limits: ") + factor + "\n"));
	BOOST_TEST(has(stackprint({"5000001"}, "limits").err, "limits: -\n"));
	for (const char *factor : {"0", "-1", "x", "", "1e3", "0x10", "nan"})
		BOOST_TEST(stackprint({"--limits", factor, "5000001"})
		    .status == 64, factor);
}

BOOST_AUTO_TEST_SUITE_END()
