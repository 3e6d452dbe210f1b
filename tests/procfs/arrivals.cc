// Checks that the arrivals in schedstat show whether a thread has run.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include "os/posture.h"

#include "noted.h"

// It sleeps at the same place each time, so its registers do not show it.
BOOST_AUTO_TEST_CASE(a_thread_that_has_run_has_come_to_a_cpu)
{
	const noted v({deed::read, deed::tick});
	stack9::proc_task ticks, sleeps;
	stack9::posture_reader of_ticks, of_sleeps;
	BOOST_REQUIRE(ticks.open(v.tid(1)) == 0);
	BOOST_REQUIRE(sleeps.open(v.tid(0)) == 0);
	const std::uint64_t before = of_ticks.read_arrivals(ticks);
	const std::uint64_t asleep = of_sleeps.read_arrivals(sleeps);
	if (before == 0) {
		BOOST_TEST_MESSAGE("this kernel does not count arrivals");
		return;
	}
	stack9::thread_status now;
	BOOST_REQUIRE(of_ticks.read_status(ticks, now) == 0);
	// It may have been there at first: it has come again once it has gone
	// twice.
	for (const auto switches = now.switches; now.switches < switches + 2;)
		BOOST_REQUIRE(of_ticks.read_status(ticks, now) == 0);
	BOOST_TEST(of_ticks.read_arrivals(ticks) > before);
	BOOST_TEST(of_sleeps.read_arrivals(sleeps) == asleep);
}
