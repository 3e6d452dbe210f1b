// Tests every kind of blocking call, under submissions that wake nobody and
// under such that do.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <deque>
#include <map>

#include <fmt/format.h>

#include "core_calls.h"
#include "async.h"
#include "blocked.h"	// of tests/user

BOOST_AUTO_TEST_SUITE(async_blocking)

namespace {

using submissions = std::map<pid_t, std::deque<submission>>;

constexpr int times = 20;	// each

submissions
submit_all(const blocked &v, unsigned int flags)
{
	submissions all;
	for (int i = 0; i < times; i++)
		for (const blocked::occupant &o : v.all())
			all[o.tid].emplace_back(o.tid, STACK9_BOTH, flags);
	return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(nobody_returns_early, *needs("bpf") * needs_task_work()
    * boost::unit_test::description(
    "No thread is stopped or woken: 0 of the blocking calls return early"))
{
	blocked v;
	BOOST_TEST(v.all().size() >= 28u);
	answer a(v.pid());
	{
		const submissions all = submit_all(v, 0);
		v.settle();
		BOOST_TEST(v.returned() == "");
		for (const blocked::occupant &o : v.all())
			for (const submission &s : all.at(o.tid)) {
				BOOST_TEST(a.collect(s.id) == EAGAIN,
				    o.call.name);
				BOOST_TEST(a.kernel.rec.error == 0);
				BOOST_TEST(a.kernel.rec.depth > 2u);
				if (s.id % 2 == 0)
					BOOST_TEST(core::cancel(s.id) == 0);
			}
	}
	v.settle();
	BOOST_TEST(v.returned() == "");	// nor when it is all taken back
}

BOOST_AUTO_TEST_CASE(now_wakes_them, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("STACK9_ASYNC_WAKE: wake the thread: its "
    "blocking call may return early, as from a signal without a handler"))
{
	const blocked v;
	answer a(v.pid());
	for (const blocked::occupant &o : v.all()) {
		if (state_of(o.tid) == 'D')
			continue;	// no signal wakes vfork(2)
		const submission s(o.tid, STACK9_BOTH, STACK9_ASYNC_WAKE);
		BOOST_TEST_CONTEXT(o.call.name) {
			BOOST_TEST(a.outcome(s.id) == 0);
			BOOST_TEST(a.user.rec.why == STACK9_WHY_NONE);
			BOOST_TEST(a.names().find("sit_in") !=
			    std::string::npos, a.names());
			if (o.call.innermost != nullptr)
				BOOST_TEST(in_the_manual(a.user.names()[0]) ==
				    o.call.innermost);
		}
	}
	v.settle();
	fmt::print("returned early by STACK9_NOW: {}\n", v.returned());
}

BOOST_AUTO_TEST_SUITE_END()
