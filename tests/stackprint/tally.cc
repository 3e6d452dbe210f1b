// stackprint(1), OUTPUT: the last line adds up.
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

// Threads, then the six things that can become of one.
using counts = std::array<int, 7>;

counts
tally(const said &s)
{
	counts c{};
	const auto start = s.out.rfind('\n', s.out.size() - 2);
	const std::string last = s.out.substr(start + 1);
	BOOST_REQUIRE(std::sscanf(last.c_str(), "%d thread%*[s:] %d captured, "
	    "%d partial, %d in user mode, %d failed, %d refused, %d gone",
	    &c[0], &c[1], &c[2], &c[3], &c[4], &c[5], &c[6]) == 7);
	return c;
}

bool
adds_up(const counts &c)
{
	return std::accumulate(c.begin() + 1, c.end(), 0) == c[0];
}

} // namespace

BOOST_AUTO_TEST_SUITE(the_tally)

BOOST_AUTO_TEST_CASE(each_thread_is_counted_once,
    *description("OUTPUT: each thread is counted once, so that the counts "
    "add up to the number of threads"))
{
	const counts all = tally(stackprint({"-p", "5000000"}));
	BOOST_TEST((all == counts{13, 6, 2, 1, 2, 1, 1}));
	BOOST_TEST(adds_up(all));
	BOOST_TEST(adds_up(tally(stackprint({"-a"}))));
	const counts none = tally(stackprint({"-p", "5000000"}, "no-rights"));
	BOOST_TEST((none == counts{}));
}

BOOST_AUTO_TEST_CASE(each_kind_alone,
    *description("OUTPUT: captured, partial, in user mode, failed, refused, "
    "gone"))
{
	const struct {
		pid_t	tid;
		int	kind;
	} kinds[] = {{fake::whole, 1}, {fake::truncated, 2},
	    {fake::torn_short, 2}, {fake::user_mode, 3}, {fake::torn, 4},
	    {fake::impossible, 4}, {fake::refused, 5}, {fake::zombie, 6},
	    {fake::process, 6}};
	for (const auto &k : kinds) {
		const counts c = tally(stackprint({std::to_string(k.tid)}));
		BOOST_TEST(c[0] == 1);
		BOOST_TEST(c[static_cast<std::size_t>(k.kind)] == 1);
		BOOST_TEST(adds_up(c));
	}
}

BOOST_AUTO_TEST_CASE(many_threads,
    *description("-p: in one pass"))
{
	const counts c = tally(stackprint({"-p", "5000100"}));
	BOOST_TEST((c == counts{fake::crowd_size, fake::crowd_size}));
}

BOOST_AUTO_TEST_SUITE_END()
