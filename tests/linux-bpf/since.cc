// Tests how long a thread is in its state, by made-up numbers of the scheduler.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include "bpf/since.h"

namespace {

using stack9::bpf::scheduler_clock;
using stack9::bpf::time_in_state;
using stack9::bpf::time_span;

void
check(const time_span &s, std::uint64_t least, std::uint64_t most)
{
	BOOST_TEST(s.least == least);
	BOOST_TEST(s.most == most);
}

constexpr bool on_cpu = true, off_cpu = false, asleep = true, awake = false;

} // namespace

BOOST_AUTO_TEST_SUITE(since)

BOOST_AUTO_TEST_CASE(the_most_advanced_clock_is_right)
{
	scheduler_clock c;
	BOOST_TEST(c.at(1000) == 0u);
	c.add(0, 1000);
	BOOST_TEST(c.at(1000) == 0u);
	c.add(400, 1000);
	BOOST_TEST(c.at(1010) == 410u);
	c.add(300, 1000);
	BOOST_TEST(c.at(1010) == 410u);
	c.add(950, 1500);
	BOOST_TEST(c.at(1500) == 950u);
	// Ahead of the boot time, as after a suspension of neither.
	c.add(2000, 1600);
	BOOST_TEST(c.at(1600) == 2000u);
}

BOOST_AUTO_TEST_CASE(asleep_for_a_time_between_two)
{
	// Arrived at 1000, left at 700 by a clock that is 400 slow at 2000, so
	// that 100 of them passed since.
	const s9_times t{1000, 0, 700, 2000, 1600};
	check(time_in_state(t, off_cpu, asleep, 2000), 900, 1000);
	// The CPU has been idle for 50.
	check(time_in_state(t, off_cpu, asleep, 2050), 950, 1050);
}

BOOST_AUTO_TEST_CASE(statistics_are_exact)
{
	check(time_in_state({1000, 1200, 700, 2000, 1600}, off_cpu, asleep,
	    2000), 800, 800);
	// The time is of an earlier sleep.
	check(time_in_state({1000, 900, 700, 2000, 1600}, off_cpu, asleep,
	    2000), 900, 1000);
}

BOOST_AUTO_TEST_CASE(on_a_cpu_and_waiting_for_one)
{
	check(time_in_state({1000, 0, 700, 2000, 1600}, on_cpu, awake, 2000),
	    1000, 1000);
	check(time_in_state({1000, 1500, 700, 2000, 1600}, off_cpu, awake,
	    2000), 500, 500);
	check(time_in_state({1000, 0, 700, 2000, 1600}, off_cpu, awake, 2000),
	    0, 0);
	// A thread on its way to sleep is on its CPU.
	check(time_in_state({1000, 0, 700, 2000, 1600}, on_cpu, asleep, 2000),
	    1000, 1000);
}

BOOST_AUTO_TEST_CASE(numbers_that_are_missing)
{
	check(time_in_state({1000, 0, 700, 2000, 1600}, off_cpu, asleep, 0),
	    0, 0);
	check(time_in_state({1000, 0, 0, 2000, 1600}, off_cpu, asleep, 2000),
	    1, 1000);
	check(time_in_state({0, 0, 700, 2000, 1600}, off_cpu, asleep, 2000),
	    900, 0);
	check(time_in_state({1000, 0, 700, 0, 0}, off_cpu, asleep, 2000),
	    1, 1000);
	// Never more than at most.
	check(time_in_state({1950, 0, 700, 2000, 1600}, off_cpu, asleep, 2000),
	    50, 50);
	// A clock that is earlier than what was noted by it.
	check(time_in_state({2100, 0, 1700, 2000, 1600}, off_cpu, asleep,
	    2000), 1, 1);
}

BOOST_AUTO_TEST_SUITE_END()
