// Watches perf's software events: faults, switches, a clock.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cmath>
#include <fstream>

#include "watching.h"

BOOST_AUTO_TEST_SUITE(watch_software)

namespace {

using boost::unit_test::description;

constexpr double close_enough = 0.02;

double
share(std::uint64_t part, std::uint64_t rest)
{
	return static_cast<double>(part) / static_cast<double>(part + rest);
}

double
share(const std::vector<std::int64_t> &truth)
{
	return share(static_cast<std::uint64_t>(truth[0]),
	    static_cast<std::uint64_t>(truth[1]));
}

// False: the machine took the CPU away, so that the clock ticked too seldom or
// the program measured that as its own time, and this is not the last round.
bool
clock_is_right(const std::string &program, unsigned int flags, bool last)
{
	staged p(program, {"5000"});
	watching w("cpu-clock:997", only(p.pid()), counted(STACK9_USER,
	    flags));
	w.all_of(p);
	w.end();
	const auto f = events_in(w.samples, "f"), g = events_in(w.samples, "g");
	const double is = share(f, g), was = share(p.truth());
	BOOST_TEST_MESSAGE(program << ": " << f << " of " << f + g
	    << " samples in f(), " << is << "; it was there for " << was);
	BOOST_TEST(f + g < 5200u);
	BOOST_TEST(events_in(w.samples) == w.tally().kept);
	BOOST_TEST(static_cast<double>(f + g) > 0.99 *
	    static_cast<double>(w.tally().events));
	check_sum(w.tally());
	if ((std::abs(is - was) >= close_enough || f + g <= 4000u) && !last)
		return false;
	BOOST_TEST(std::abs(is - was) < close_enough);
	// The clock ticks less often if a virtual machine's host holds it up.
	BOOST_TEST(f + g > 4000u);
	return true;
}

void
check_clock(const std::string &program, unsigned int flags)
{
	for (int tries = 2; !clock_is_right(program, flags, tries == 0);
	    tries--)
		;
}

// Each CPU counts the faults of all programs.  False: this one went to other
// CPUs, or others had faults meanwhile, so that it had more of the tenth ones
// or fewer, and this is not the last round.
bool
tenths_are_right(bool last)
{
	constexpr std::uint64_t pages = 3000;
	staged p("faults", {std::to_string(pages)});
	watching w("page-faults:10", only(p.pid()), counted(STACK9_USER));
	w.all_of(p);
	w.end();
	const std::uint64_t events = events_in(w.samples, "touch_each");
	if ((events < pages / 10 - 2 || events > pages / 10 + 2) && !last)
		return false;
	BOOST_TEST(events >= pages / 10 - 2);	// one CPU's, then another's
	BOOST_TEST(events <= pages / 10 + 2);
	return true;
}

} // namespace

BOOST_AUTO_TEST_CASE(faults, *needs("bpf") * watchable("page-faults:1")
    * description("page-faults[:EVERY]"))
{
	constexpr std::uint64_t pages = 3000;
	staged p("faults", {std::to_string(pages)});
	watching w("page-faults:1", only(p.pid()), counted(STACK9_USER,
	    STACK9_WATCH_FRAME_POINTERS));
	w.all_of(p);
	w.end();
	BOOST_TEST(events_in(w.samples, "touch_each") == pages);
	check_sum(w.tally());
}

BOOST_AUTO_TEST_CASE(every_tenth_fault, *needs("bpf")
    * watchable("page-faults:1") * description("page-faults[:EVERY]"))
{
	for (int tries = 3; !tenths_are_right(tries == 0); tries--)
		;
}

BOOST_AUTO_TEST_CASE(switches, *needs("bpf")
    * watchable("context-switches:1")
    * description("cpu-clock[:HZ], page-faults[:EVERY], ...: software events "
    "of perf"))
{
	constexpr std::uint64_t times = 100;
	staged p("naps", {std::to_string(times)});
	watching w("context-switches:1", only(p.pid()), counted(STACK9_BOTH,
	    STACK9_WATCH_FRAME_POINTERS));
	w.all_of(p);
	w.end();
	// Each sleep counts, and so does each preemption.
	const auto check = [&](const char *function, std::uint64_t n) {
		BOOST_TEST(events_in(w.samples, function) >= n);
		BOOST_TEST(events_in(w.samples, function) <= n + n / 2);
	};
	check("doze", times);
	check("nap", times / 2);
	check("rest", times / 10);
}

BOOST_AUTO_TEST_CASE(a_clock_by_frame_pointers, *needs("bpf")
    * watchable("cpu-clock:997")
    * description("cpu-clock[:HZ]: shares agree with what a program measured "
    "of itself"))
{
	check_clock("spins", STACK9_WATCH_FRAME_POINTERS);
}

BOOST_AUTO_TEST_CASE(a_clock_without, *needs("bpf") * copied()
    * watchable("cpu-clock:997")
    * description("cpu-clock[:HZ]: shares agree with what a program measured "
    "of itself"))
{
	check_clock("spins_lean", 0);
}

BOOST_AUTO_TEST_SUITE_END()
