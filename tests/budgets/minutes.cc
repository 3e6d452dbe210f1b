// Tests what all files together may use in a minute.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <memory>

#include "budgets/minute.h"
#include "process/silent_servers.h"
#include "symbols/debug_work.h"

#include "hostile.h"

using boost::unit_test::description;
using stack9::budgets::minute;

namespace {

constexpr std::int64_t milli = 1'000'000, second = 1000 * milli,
    some_time = 100 * second;

// Begins a new minute of debug information, and another one at the end.
struct fresh_minute {
	fresh_minute() { renew(); }
	fresh_minute(const fresh_minute &) = delete;
	~fresh_minute() { renew(); }

	static void
	renew()
	{
		std::destroy_at(&stack9::debug_ns_of_minute);
		std::construct_at(&stack9::debug_ns_of_minute,
		    stack9::budgets::debug_ns_a_minute);
	}
};

// Works on a file's debug information until its time is over; false: it was
// over before.
bool
works(std::uint64_t bytes)
{
	stack9::debug_work w(bytes);
	w.begin();
	const bool any = !w.is_over();
	while (w.goes_on())
		;
	w.end();
	BOOST_TEST(w.is_over());
	return any;
}

} // namespace

BOOST_AUTO_TEST_SUITE(minutes)

BOOST_AUTO_TEST_CASE(a_minute_has_its_budget_once)
{
	minute m(10);
	BOOST_TEST(m.take(some_time, 6));
	BOOST_TEST(!m.is_over(some_time));
	BOOST_TEST(m.take(some_time + 60 * second, 4));
	BOOST_TEST(!m.take(some_time + 60 * second, 1));
	BOOST_TEST(m.is_over(some_time + 60 * second));
	BOOST_TEST(!m.is_over(some_time + 60 * second + 1));
	BOOST_TEST(m.take(some_time + 61 * second, 10));
	BOOST_TEST(!m.take(some_time + 61 * second, 1));
}

BOOST_AUTO_TEST_CASE(files_share_the_time_beyond_their_bytes, *description(
    "All files together may take 5 s in a minute beyond the time for their "
    "bytes."))
{
	const fresh_minute fresh;
	// 2 ms for each file, 50 ms for all.
	const budgets_by little(1.0f / 100);
	int files = 0;
	while (files < 100 && works(0))
		files++;
	BOOST_TEST(files >= 24);
	BOOST_TEST(files <= 27);
	BOOST_TEST(!works(0));
	BOOST_TEST(works(1 << 20));	// it has 1.2 ms of its own
}

BOOST_AUTO_TEST_CASE(what_is_for_the_bytes_is_used_first)
{
	const fresh_minute fresh;
	const budgets_by little(1.0f / 100);
	for (int n = 0; n < 10; n++) {
		stack9::debug_work w(1 << 30);	// 1.2 s
		w.begin();
		const std::int64_t until = stack9::monotonic_ns() + 3 * milli;
		while (stack9::monotonic_ns() < until)
			BOOST_TEST_REQUIRE(w.goes_on());
		w.end();
	}
	BOOST_TEST(works(0));
	BOOST_TEST(stack9::debug_ns_of_minute.take(stack9::monotonic_ns(),
	    47 * milli));
}

BOOST_AUTO_TEST_CASE(a_silent_server_is_not_asked_for_a_minute, *description(
    "A server of files, NFS's or FUSE's, may take a second to open one; if it "
    "takes longer, it is not asked again for a minute."))
{
	stack9::process::silent_servers all;
	BOOST_TEST(!all.has(7, some_time));
	BOOST_TEST(all.patience(some_time) == 1u * second);
	all.add(7, some_time, some_time + second);
	BOOST_TEST(all.has(7, some_time + second));
	BOOST_TEST(!all.has(8, some_time + second));
	BOOST_TEST(all.has(7, some_time + 61 * second - 1));
	BOOST_TEST(!all.has(7, some_time + 61 * second));
}

BOOST_AUTO_TEST_CASE(many_silent_servers_make_it_impatient, *description(
    "Once 5 s of a minute have been lost in this way, further servers may take "
    "10 ms."))
{
	stack9::process::silent_servers all;
	std::int64_t now = some_time;
	std::uint64_t server = 0;
	for (; server < 1000; server++) {
		const auto lost = static_cast<std::int64_t>(all.patience(now));
		all.add(server, now, now + lost);
		now += lost;
	}
	BOOST_TEST(now - some_time < 17 * second);
	BOOST_TEST(all.patience(now) == 10u * milli);
	BOOST_TEST(all.patience(some_time + 62 * second) == 1u * second);
}

BOOST_AUTO_TEST_SUITE_END()
