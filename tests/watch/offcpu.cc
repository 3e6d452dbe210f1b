// Compares where and how long threads were blocked with their own measurements.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include "core/seam/record.h"
#include "user.h"
#include "watching.h"

BOOST_AUTO_TEST_SUITE(watch_offcpu)

namespace {

using boost::unit_test::description;

constexpr double close_enough = 0.02;
const char *const places[] = {"doze", "nap", "rest"};

// Checks the shares of the whole, and the whole.  A machine that takes the CPU
// away between a sleeper's clock and its sleep makes them differ: unless it is
// the last round, that only ends this one.
bool
times_are_right(const watching &w, staged &p, bool last)
{
	double is[3], was[3], all_is = 0, all_was = 0, worst = 0;
	for (std::size_t i = 0; i < 3; i++) {
		is[i] = static_cast<double>(weight_in(w.samples, places[i]));
		was[i] = static_cast<double>(p.truth()[2 * i]);
		all_is += is[i];
		all_was += was[i];
		worst = std::max(worst, std::abs(is[i] / was[i] - 1));
	}
	if (worst >= close_enough && !last)
		return false;
	for (std::size_t i = 0; i < 3; i++) {
		BOOST_TEST_MESSAGE(places[i] << ": " << is[i] / 1e6 << " ms of "
		    << was[i] / 1e6);
		BOOST_TEST(is[i] <= was[i]);
		BOOST_TEST(std::abs(is[i] / was[i] - 1) < close_enough);
		BOOST_TEST(std::abs(is[i] / all_is - was[i] / all_was) <
		    close_enough);
	}
	return true;
}

bool
all_is_right(const std::string &program, stack9_side side, unsigned int flags,
    bool last)
{
	staged p(program);
	watching w("offcpu", only(p.pid()), counted(side, flags));
	w.all_of(p);
	w.end();
	if (!times_are_right(w, p, last))
		return false;
	BOOST_TEST(w.tally().skipped == 0u);
	for (const kept_sample &s : w.samples)
		if (!s.user.has("sleeps") && !s.user.has("main"))
			BOOST_TEST_MESSAGE("elsewhere: " << s.events << " for "
			    << s.weight_ns / 1000 << " us: " << s.user.error
			    << " " << s.user.reason << " "
			    << joined(s.user.names()));
	for (std::size_t i = 0; i < 3; i++)
		BOOST_TEST(events_in(w.samples, places[i]) >=
		    static_cast<std::uint64_t>(p.truth()[2 * i + 1]));
	BOOST_TEST(w.tally().no_room == 0u);
	check_sum(w.tally());
	return true;
}

void
check_away(const std::string &program, stack9_side side, unsigned int flags)
{
	for (int tries = 2; !all_is_right(program, side, flags, tries == 0);
	    tries--)
		;
}

} // namespace

BOOST_AUTO_TEST_CASE(by_frame_pointers, *needs("bpf") * watchable("offcpu")
    * description("offcpu: a thread was blocked, and continues; weight_ns: the "
    "time blocked, in total"))
{
	check_away("naps", STACK9_USER, STACK9_WATCH_FRAME_POINTERS);
}

BOOST_AUTO_TEST_CASE(without, *needs("bpf") * copied() * watchable("offcpu")
    * description("offcpu: a thread was blocked, and continues; weight_ns: the "
    "time blocked, in total"))
{
	check_away("naps_lean", STACK9_BOTH, 0);
}

BOOST_AUTO_TEST_CASE(each_of_them, *needs("bpf") * watchable("offcpu")
    * description("STACK9_WATCH_STREAM: each event; weight_ns"))
{
	staged p("naps", {"40"});
	watching w("offcpu", only(p.pid()), streamed(STACK9_BOTH,
	    STACK9_WATCH_FRAME_POINTERS));
	w.all_of(p);
	w.end();
	for (const kept_sample &s : w.samples) {
		BOOST_TEST(s.weight_ns > 0u);
		if (s.user.has("rest")) {
			BOOST_TEST(s.kernel.pcs.size() > 0u);
			BOOST_TEST(s.thread.tid != p.pid());
		}
	}
	const std::uint64_t rests = events_in(w.samples, "rest");
	BOOST_TEST(rests >= 4u);
	BOOST_TEST(weight_in(w.samples, "rest") >= 4 * 50'000'000u);
}

namespace {

// False: the machine woke more than two naps so late that they were long, and
// this is not the last round.
bool
long_ones_are_counted(bool last)
{
	staged p("naps", {"40"});
	stack9::watch_filter at_least = only(p.pid()), at_most = only(p.pid());
	at_least.min_ns = at_most.min_ns = 15'000'000;
	at_most.max_ns = 45'000'000;
	watching longer(std::string("offcpu"), at_least, counted(STACK9_USER,
	    STACK9_WATCH_FRAME_POINTERS));
	watching nap("offcpu", at_most, counted(STACK9_USER,
	    STACK9_WATCH_FRAME_POINTERS));
	p.go();
	while (!p.done()) {
		longer.read(10);
		nap.read(0);
	}
	longer.end();
	nap.end();
	BOOST_TEST(events_in(nap.samples, "nap") <= 20u);
	for (const kept_sample &s : longer.samples)
		BOOST_TEST(s.weight_ns >= s.events * at_least.min_ns);
	const auto short_naps = static_cast<std::uint64_t>(p.truth().at(6));
	if (short_naps < 18 && !last)
		return false;
	BOOST_TEST(events_in(longer.samples, "nap") == 20u);
	BOOST_TEST(events_in(longer.samples, "rest") == 4u);
	BOOST_TEST(events_in(nap.samples, "nap") >= 18u);	// late wakings
	// By its own clock a thread is away longer than it is blocked.
	BOOST_TEST(events_in(nap.samples, "nap") >= short_naps);
	BOOST_TEST(events_in(nap.samples, "rest") == 0u);
	return true;
}

} // namespace

BOOST_AUTO_TEST_CASE(only_the_long_ones, *needs("bpf") * watchable("offcpu")
    * description("min_ns: blocked at least so long, max_ns: and at most"))
{
	// Ten rounds take four seconds, so that no bad second has them all.
	for (int tries = 9; !long_ones_are_counted(tries == 0); tries--)
		;
}

namespace {

[[gnu::noinline]] void
give(int fd)
{
	for (;;) {
		usleep(2000);
		(void)!write(fd, "x", 1);
	}
}

// A process whose first thread sleeps and then wakes the second one from
// read(2).
class pair_of_threads {
public:
	pair_of_threads()
	{
		pid_ = fork();
		if (pid_ != 0)
			return;
		static int p[2];
		if (pipe(p) != 0)
			_exit(1);
		std::thread([] {
			char c;
			while (read(p[0], &c, 1) == 1)
				;
		}).detach();
		give(p[1]);
	}
	pair_of_threads(const pair_of_threads &) = delete;
	~pair_of_threads()
	{
		kill(pid_, SIGKILL);
		waitpid(pid_, nullptr, 0);
	}
	pid_t	pid() const { return pid_; }

private:
	pid_t	pid_;
};

// Counts who woke the threads that were blocked in a function of the kernel.
struct woken {
	std::uint64_t	all = 0, by_thread = 0, by_interrupt = 0, by_other = 0;
};

woken
woken_in(const std::vector<kept_sample> &samples, const std::string &function,
    pid_t pid)
{
	woken w;
	for (const kept_sample &s : samples) {
		if (!s.kernel.has(function))
			continue;
		w.all += s.events;
		if (s.waking == STACK9_WAKER_THREAD && s.waker.pid == pid &&
		    s.waker_kernel.has("vfs_write"))
			w.by_thread += s.events;
		else if (s.waking == STACK9_WAKER_INTERRUPT &&
		    s.waker.pid == 0 && s.waker_user.pcs.empty())
			w.by_interrupt += s.events;
		else
			w.by_other += s.events;
	}
	return w;
}

void
check_wakers(const stack9::watch_sink &sink)
{
	const pair_of_threads two;
	watching w("offcpu", only(two.pid()), sink);
	for (int i = 0; i < 2000; i++) {
		const int error = w.read(10);
		if (error != 0 && error != EAGAIN)
			BOOST_FAIL("stack9_watch_read: " << error);
		if (i >= 20 && w.tally().kept > 40)
			break;
	}
	w.end();
	const woken reader = woken_in(w.samples, "vfs_read", two.pid()),
	    sleeper = woken_in(w.samples, "hrtimer_nanosleep", two.pid());
	BOOST_TEST(reader.by_thread > 5u);
	BOOST_TEST(reader.by_interrupt == 0u);
	// At the end one may be blocked still.
	BOOST_TEST(reader.by_other <= reader.all / 10 + 1);
	BOOST_TEST(sleeper.by_interrupt > 5u);
	BOOST_TEST(sleeper.by_thread == 0u);
	check_sum(w.tally());
}

} // namespace

BOOST_AUTO_TEST_CASE(who_woke_them, *needs("bpf") * copied()
    * watchable("offcpu") * description("STACK9_WATCH_WAKERS: samples have "
    "their wakers"))
{
	check_wakers(counted(STACK9_BOTH, STACK9_WATCH_WAKERS));
	check_wakers(streamed(STACK9_BOTH, STACK9_WATCH_WAKERS |
	    STACK9_WATCH_FRAME_POINTERS));
	BOOST_TEST(refused("cpu-clock:100", {}, counted(STACK9_KERNEL,
	    STACK9_WATCH_WAKERS)).error == EINVAL);
}

BOOST_AUTO_TEST_SUITE_END()
