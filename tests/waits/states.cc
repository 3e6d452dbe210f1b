// Compares the states that stack9_states() reports with what the threads did.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cerrno>
#include <ctime>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <signal.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <stack9_waits.hpp>

#include "require.h"
#include "scene.h"
#include "victim.h"

using boost::unit_test::description;

namespace {

struct seen_state {
	stack9_state	s;
	std::string	comm;
};
using all_states = std::map<pid_t, seen_state>;

int
add(void *arg, const stack9_state *s)
{
	static_cast<all_states *>(arg)->emplace(s->thread.tid,
	    seen_state{*s, s->comm});
	return 0;
}

all_states
states_of(pid_t pid)
{
	all_states all;
	const stack9_thread td{pid, pid, 0};
	BOOST_REQUIRE_EQUAL(stack9_states(pid != 0 ? &td : nullptr, 0, add,
	    &all), 0);
	return all;
}

std::uint64_t
monotonic_ns()
{
	timespec now{};
	clock_gettime(CLOCK_MONOTONIC, &now);
	return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
	    static_cast<std::uint64_t>(now.tv_nsec);
}

// A thread that sleeps, one that wakes all the time, and one that never stops.
void
play(stage &s)
{
	note(s, 0, 0, -1);
	act(s, 1, 0, -1, [] { pause(); });
	act(s, 2, 0, -1, [] {
		for (;;)
			usleep(1000);
	});
	act(s, 3, 0, -1, [] {
		for (;;)
			;
	});
}

void
check_looks(pid_t pid, const stage &s)
{
	const pid_t sleeper = s.actors[1].tid, waker = s.actors[2].tid,
	    runner = s.actors[3].tid;
	const all_states first = states_of(pid);
	all_states second = states_of(pid);
	for (int i = 0; i < 1000 && first.at(waker).s.switches ==
	     second.at(waker).s.switches; i++) {
		usleep(10'000);
		second = states_of(pid);
	}
	BOOST_TEST(first.size() == 4);
	BOOST_TEST(first.at(sleeper).s.switches ==
	    second.at(sleeper).s.switches);
	BOOST_TEST(second.at(sleeper).s.switches == switches_in_proc(sleeper));
	BOOST_TEST(first.at(sleeper).s.flags == 0u);
	BOOST_TEST(first.at(sleeper).s.state == 'S');
	BOOST_TEST(first.at(waker).s.switches < second.at(waker).s.switches);
	BOOST_TEST(second.at(runner).s.state == 'R');
	for (const auto &[tid, state] : first) {
		BOOST_TEST(state.s.thread.tid == tid);
		BOOST_TEST(state.s.thread.pid == pid);
		BOOST_TEST(state.s.thread.start ==
		    second.at(tid).s.thread.start);
		stack9_thread td{};
		BOOST_TEST(stack9_thread_find(tid, &td) == 0);
		BOOST_TEST(td.start == state.s.thread.start);
		BOOST_TEST(state.comm == "test_waits");
	}
}

// A time that the kernel gave as at least and at most has to hold a true one,
// between two moments.  Ticks of a clock are 10 ms at most.
void
check_since(const stack9_state &s, std::uint64_t least, std::uint64_t most)
{
	constexpr std::uint64_t tick = 10'000'000;
	BOOST_TEST(s.since_ns != 0u);
	BOOST_TEST(s.since_ns <= s.since_most_ns);
	BOOST_TEST(s.since_ns <= most + tick);
	BOOST_TEST(s.since_most_ns + tick >= least);
}

} // namespace

BOOST_AUTO_TEST_SUITE(states)

BOOST_AUTO_TEST_CASE(who_has_run, *needs("bpf") * description(
    "If two calls found the same switches, and neither found "
    "STACK9_STATE_ON_CPU, the thread has not run in between."))
{
	scene of(play);
	wait_for_state(of.get().actors[1].tid, 'S');
	check_looks(of.pid(), of.get());
}

BOOST_AUTO_TEST_CASE(by_proc)
{
	scene of(play);
	BOOST_REQUIRE(stack9_force("procfs") == 0);
	wait_for_state(of.get().actors[1].tid, 'S');
	check_looks(of.pid(), of.get());
	for (const auto &[tid, state] : states_of(of.pid()))
		BOOST_TEST(state.s.since_most_ns == 0u);
	BOOST_TEST(states_of(0).count(getpid()) == 1u);
	stack9_force("");
}

BOOST_AUTO_TEST_CASE(times_in_a_state, *needs("bpf") * description(
    "For how long the thread has been on its CPU, has waited for a CPU, or has "
    "been off a CPU because it sleeps, is stopped or the like: at least and at "
    "most."))
{
	const std::uint64_t begin = monotonic_ns();
	scene of(play);
	const pid_t sleeper = of.get().actors[1].tid;
	wait_for_state(sleeper, 'S');
	const std::uint64_t asleep = monotonic_ns();
	for (std::uint64_t i = 1; i <= 4; i++) {
		wait_until([&] {
			return monotonic_ns() - asleep >= i * 100'000'000;
		});
		const std::uint64_t before = monotonic_ns();
		const stack9_state s = states_of(of.pid()).at(sleeper).s;
		check_since(s, before - asleep, monotonic_ns() - begin);
		// It was on the CPU for a moment only.
		BOOST_TEST(s.since_most_ns <= monotonic_ns() - begin +
		    10'000'000u);
	}
	kill(of.pid(), SIGSTOP);
	wait_for_state(of.get().actors[3].tid, 'T');
	const std::uint64_t stopped = monotonic_ns();
	wait_until([&] { return monotonic_ns() - stopped >= 50'000'000; });
	const std::uint64_t before = monotonic_ns();
	const stack9_state runner =
	    states_of(of.pid()).at(of.get().actors[3].tid).s;
	check_since(runner, before - stopped, monotonic_ns() - begin);
}

// The two are found in different ways.
BOOST_AUTO_TEST_CASE(a_process_as_a_part_of_the_machine, *needs("bpf"))
{
	scene of(play);
	const pid_t sleeper = of.get().actors[1].tid;
	wait_for_state(sleeper, 'S');
	const std::uint64_t before = monotonic_ns();
	all_states whole = states_of(0);
	std::erase_if(whole, [&](const auto &each) {
		return each.second.s.thread.pid != of.pid();
	});
	const all_states process = states_of(of.pid());
	const std::uint64_t took = monotonic_ns() - before;
	BOOST_TEST(process.size() == whole.size());
	for (const auto &[tid, state] : process) {
		const seen_state &other = whole.at(tid);
		BOOST_TEST(state.s.thread.start == other.s.thread.start);
		BOOST_TEST(state.comm == other.comm);
	}
	const stack9_state &a = process.at(sleeper).s,
	    &b = whole.at(sleeper).s;
	BOOST_TEST(a.switches == b.switches);
	BOOST_TEST(a.state == b.state);
	BOOST_TEST(a.cpu == b.cpu);
	check_since(a, b.since_ns, b.since_most_ns + took);
	const stack9_thread none{4194303, 4194303, 0};
	BOOST_TEST(stack9_states(&none, 0, add, &whole) == ESRCH);
	// A thread's id is not a process's.
	const stack9_thread thread{sleeper, sleeper, 0};
	BOOST_TEST(stack9_states(&thread, 0, add, &whole) == ESRCH);
}

BOOST_AUTO_TEST_CASE(whole_machine, *needs("bpf") * description(
    "once for each thread of the process of which td is any thread, or of the "
    "machine if td is NULL, by ascending thread id."))
{
	std::vector<pid_t> order;
	const auto keep = [](void *arg, const stack9_state *s) {
		static_cast<std::vector<pid_t> *>(arg)->push_back(
		    s->thread.tid);
		return 0;
	};
	BOOST_TEST(stack9_states(nullptr, 0, keep, &order) == 0);
	BOOST_TEST(std::is_sorted(order.begin(), order.end()));
	BOOST_TEST(std::count(order.begin(), order.end(), getpid()) == 1);
	BOOST_TEST(order.size() > 1u);
}

// The C++ face of the same.
BOOST_AUTO_TEST_CASE(states_as_values)
{
	scene of(play);
	const auto process = stack9::thread::find(of.pid());
	const pid_t sleeper = of.get().actors[1].tid;
	wait_for_state(sleeper, 'S');
	std::size_t asleep = 0;
	const auto all = stack9::states_of(process);
	for (const stack9::thread_state &s : all) {
		BOOST_TEST((s.of.pid() == of.pid() && s.comm == "test_waits"));
		if (s.of.tid() != sleeper)
			continue;
		BOOST_TEST((s.state == 'S' && !s.on_cpu &&
		    s.since <= s.since_most && s.when.count() != 0 &&
		    s.switches == switches_in_proc(sleeper)));
		asleep++;
	}
	BOOST_TEST(all.size() == 4u);
	BOOST_TEST(asleep == 1u);
	BOOST_TEST((stack9::for_each_state(stack9::machine,
	    [](const stack9::thread_state &) { return stack9::go::stop; }) ==
	    stack9::go::stop));
}

BOOST_AUTO_TEST_CASE(wrong_arguments)
{
	const auto stop = [](void *, const stack9_state *) { return 1; };
	const stack9_thread none{0, 0, 0}, me{getpid(), getpid(), 0},
	    gone{0x3fffffff, 0x3fffffff, 0};
	BOOST_TEST(stack9_states(nullptr, 0, nullptr, nullptr) == EINVAL);
	BOOST_TEST(stack9_states(&me, 1, stop, nullptr) == EINVAL);
	BOOST_TEST(stack9_states(&none, 0, stop, nullptr) == EINVAL);
	BOOST_TEST(stack9_states(&me, 0, stop, nullptr) == ECANCELED);
	BOOST_TEST(stack9_states(&gone, 0, stop, nullptr) == ESRCH);
}

BOOST_AUTO_TEST_SUITE_END()
