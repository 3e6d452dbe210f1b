// Tests captures under storms: of signals that interrupt captures, and of
// libraries that come and go.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <csetjmp>
#include <random>
#include <thread>

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "core/seam/record.h"
#include "robust_child.h"
#include "robust_plugins.h"
#include "robust_truth.h"

using boost::unit_test::description;

BOOST_AUTO_TEST_SUITE(storms)

namespace {

constexpr int wanted = 3000;	// interrupted captures

volatile sig_atomic_t arrived, in_capture, may_leave;
int interrupted, left;
frames around;		// of the function that is interrupted
sigjmp_buf outside;

void
capture_again(int)
{
	const bool was_in_capture = in_capture != 0;
	arrived = 1;
	must_agree("in a handler that interrupts anything", outermost::marked,
	    &around);
	interrupted += was_in_capture;
	if (was_in_capture && may_leave && interrupted % 3 == 0) {
		left++;
		siglongjmp(outside, 1);
	}
}

// One signal for each start, so that no storm can keep the thread from going
// on, however slow the machine.
class alarm_clock {
public:
	alarm_clock()
	{
		struct sigaction act{};
		act.sa_handler = capture_again;
		sigaction(SIGPROF, &act, nullptr);
		sigevent event{};
		event.sigev_notify = SIGEV_SIGNAL;
		event.sigev_signo = SIGPROF;
		must(timer_create(CLOCK_MONOTONIC, &event, &timer_) == 0,
		    "a timer is made");
	}

	void
	start(long ns)
	{
		arrived = 0;
		const itimerspec once{{0, 0}, {0, ns}};
		timer_settime(timer_, 0, &once, nullptr);
	}

private:
	timer_t	timer_;
};

// Static: when a handler leaves, they have to be what they were.
alarm_clock *wake;
std::minstd_rand numbers(8);
constexpr long soonest = 20000, latest = 10000000;	// nanoseconds
long reach = soonest;	// the most that a signal waits

[[gnu::noinline]] void
capture_until_woken(void *)
{
	static frames ours;
	static stack9::stack_record rec;
	TRUE_FRAMES(around);
	wake->start(static_cast<long>(numbers()) % reach + 1);
	while (!arrived) {
		in_capture = 1;
		OUR_FRAMES(ours, rec);
		in_capture = 0;
		must(rec.error == 0 && near(ours.pcs[0], around.pcs[0]),
		    "an interrupted capture ends well");
		must_equal("interrupted", ours, 1, around, 1);
	}
}

// On a slow machine a signal comes before the capture, unless it waits longer.
void
adapt_reach()
{
	static int seen;
	reach = interrupted != seen ? std::max(reach / 2, soonest) :
	    std::min(reach * 2, latest);
	seen = interrupted;
}

// A library that comes and goes takes with it what was known of code, so that
// learning it is interrupted, too.
void
be_interrupted(bool leave)
{
	wake = new alarm_clock;
	may_leave = leave;
	if (sigsetjmp(outside, 1) != 0)
		in_capture = 0;
	while (interrupted < wanted || (leave && left < wanted / 4)) {
		adapt_reach();
		if (numbers() % 4 == 0)
			const plugin p(plugin::small);
		under(static_cast<unsigned int>(numbers() % 60),
		    capture_until_woken, nullptr);
	}
	tell("%d captures were interrupted, %d of them left for good",
	    interrupted, left);
}

// A thread that captures at random depths, now and then through a plugin.
void
capture_on(unsigned int seed, const std::atomic<bool> &over)
{
	std::minstd_rand random(seed);
	const auto here = [](void *) { must_agree("under a storm"); };
	for (long i = 0; !over; i++) {
		under(static_cast<unsigned int>(random() % 40), here, nullptr);
		if (i % 16 != 0)
			continue;
		const plugin p(random() % 2 == 0 ? plugin::small :
		    plugin::large);
		p.call(here, nullptr);
	}
}

void
storm_of_libraries()
{
	std::atomic<bool> over{false};
	std::thread one([&] { capture_on(1, over); });
	std::thread two([&] { capture_on(2, over); });
	for (int i = 0; i < 3000; i++) {
		const plugin p(static_cast<plugin::which>(i % 2));
		if (i % 10 == 0)
			p.call([](void *) { must_agree("storm"); }, nullptr);
	}
	over = true;
	one.join();
	two.join();
}

} // namespace

BOOST_AUTO_TEST_CASE(a_capture_may_interrupt_a_capture, *description(
    "It may be called in a signal handler that interrupted malloc(), the "
    "loader, or another capture"))
{
	BOOST_TEST(in_child([] { be_interrupted(false); }, 120) == "");
}

BOOST_AUTO_TEST_CASE(a_handler_may_leave_an_interrupted_capture_for_good,
    *description("or another capture, even if the handler never returns to it"))
{
	BOOST_TEST(in_child([] { be_interrupted(true); }, 120) == "");
}

BOOST_AUTO_TEST_CASE(libraries_may_come_and_go_under_captures)
{
	BOOST_TEST(in_child(storm_of_libraries, 120) == "");
}

BOOST_AUTO_TEST_SUITE_END()
