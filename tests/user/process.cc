// Tests that a pass has each thread of a process once and in order.  Threads
// may run, begin and end meanwhile.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <atomic>
#include <climits>
#include <csignal>
#include <set>
#include <thread>

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core_calls.h"
#include "pass.h"
#include "require.h"

BOOST_AUTO_TEST_SUITE(process)

namespace {

std::atomic<bool> spins{false};

[[gnu::noinline]] void
spin_in_user_mode()
{
	spins = true;
	for (;;)
		asm volatile("");	// or the loop may be taken for none
}

// Again for as long as it says so: a busy machine may take the time.
pass
pass_in_time(stack9_side side, pid_t pid)
{
	for (int i = 1; i < 100; i++)
		if (pass p(side, pid); p.error != EAGAIN)
			return p;
	return pass(side, pid);
}

// By each way there is to go over a process.
void
by_all_routes(const std::function<void(const std::string &)> &body)
{
	for (const std::string &route : routes_of(many_job)) {
		const forced only(route);
		BOOST_TEST_CONTEXT("by " << route)
			body(route);
	}
}

// There is nobody to refuse; but kernel stacks may need more rights.
void
none_but_the_dead(const pass &p)
{
	for (const kept &k : p.all)
		BOOST_TEST((k.rec.error == 0 || k.rec.error == ESRCH ||
		    k.rec.error == EAGAIN || k.rec.side == STACK9_KERNEL),
		    "error " << k.rec.error << " by " << (k.rec.route ==
		    nullptr ? "none" : k.rec.route) << ": " <<
		    (k.rec.reason == nullptr ? stack9_why_text(k.rec.why) :
		    k.rec.reason));
}

} // namespace

BOOST_AUTO_TEST_CASE(each_thread_once, *needs("ptrace")
    * boost::unit_test::description(
    "every thread of process pid; with BOTH fn is called twice for a thread, "
    "KERNEL first"))
{
	const victim v({doing::read, doing::poll, doing::spin_user,
	    doing::futex, doing::spin_syscall, doing::epoll});
	const std::multiset<pid_t> once(v.tids().begin(), v.tids().end());
	std::multiset<pid_t> twice = once;
	twice.insert(once.begin(), once.end());
	by_all_routes([&](const std::string &) {
		for (int i = 0; i < 20; i++) {
			const pass user(STACK9_USER, v.pid());
			BOOST_TEST(user.error == 0);
			BOOST_TEST(user.disorder() == "");
			BOOST_TEST(user.tids() == once);
			const pass both(STACK9_BOTH, v.pid());
			BOOST_TEST(both.error == 0);
			BOOST_TEST(both.disorder() == "");
			BOOST_TEST(both.tids() == twice);
		}
	});
}

namespace {

// False: it changed meanwhile.
bool
is_captured(user_capture &c, pid_t spinner)
{
	if (c.save(spinner) != 0) {
		BOOST_TEST(c.rec.error == EAGAIN);
		return false;
	}
	const std::string names = joined(c.names());
	BOOST_TEST(names.substr(0, names.find('<')).find(
	    "spin_in_user_mode") != std::string::npos, names);
	return true;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_spinning_thread_too, *needs("root") * needs("bpf")
    * boost::unit_test::description(
    "a thread on a CPU, in user mode, and its kernel side says so"))
{
	const child v([] {
		std::thread(spin_in_user_mode).detach();
		while (!spins)
			sched_yield();
	});
	const forced only(and_no_stop(""));
	pid_t spinner = 0;
	for (const kept &k : pass(STACK9_USER, v.pid()).all)
		if (k.rec.thread.tid != v.pid())
			spinner = k.rec.thread.tid;
	user_capture c(v.pid());
	int had = 0;
	// The thread may wait for a CPU most of a time: a few times then.
	for (int times = 0; had <= 50 && times < 10; times++) {
		had = 0;
		for (int i = 0; i < 100; i++)
			had += is_captured(c, spinner);
	}
	BOOST_TEST(had > 50);
}

BOOST_AUTO_TEST_CASE(born_and_dead_meanwhile, *needs("ptrace")
    * boost::unit_test::description(
    "For a thread that could not be captured, the record has the error"))
{
	const victim v({doing::read, doing::come_and_go, doing::come_and_go,
	    doing::poll, doing::come_and_go, doing::futex});
	by_all_routes([&](const std::string &) {
		for (int i = 0; i < rounds(100, in_guest() ? 8 : 25); i++) {
			const pass p = pass_in_time(i % 2 == 0 ? STACK9_USER :
			    STACK9_BOTH, v.pid());
			BOOST_TEST(p.error == 0);
			BOOST_TEST(p.disorder() == "");
			for (const pid_t tid : v.tids())
				BOOST_TEST(p.of(tid) != nullptr, "no " << tid <<
				    " among " << p.all.size());
			none_but_the_dead(p);
		}
	});
}

BOOST_AUTO_TEST_CASE(dead_in_the_middle, *needs("ptrace")
    * boost::unit_test::description("0; ESRCH: no such process"))
{
	by_all_routes([&](const std::string &) {
		for (const stack9_side side : {STACK9_USER, STACK9_BOTH}) {
			victim v({doing::read, doing::poll, doing::futex,
			    doing::epoll, doing::nanosleep});
			const pass p(side, v.pid(),
			    [&](const stack9::stack_record &) {
				    v.kill_and_reap();
				    return 0;
			    });
			BOOST_TEST((p.error == 0 || p.error == ESRCH));
			BOOST_TEST(p.disorder() == "");
			BOOST_TEST(!p.all.empty());
			none_but_the_dead(p);
		}
	});
}

BOOST_AUTO_TEST_CASE(a_leader_that_is_gone, *needs("ptrace")
    * boost::unit_test::description(
    "leader exited, thread lives: the leader ESRCH, the thread 0"))
{
	const child leaderless([] {
		std::thread([] {
			for (;;)
				pause();
		}).detach();
		signal(SIGUSR1, [](int) { syscall(SYS_exit, 0); });
	});
	const pid_t leader = leaderless.pid();
	// A signal for the process could be its other thread's.
	BOOST_REQUIRE(syscall(SYS_tgkill, leader, leader, SIGUSR1) == 0);
	wait_for_state(leader, 'Z');
	for (const kept &k : pass(STACK9_USER, leader).all)
		if (k.rec.thread.tid != leader)
			wait_for_state(k.rec.thread.tid, 'S');
	by_all_routes([&](const std::string &) {
		const pass p(STACK9_USER, leader);
		BOOST_TEST(p.error == 0);
		BOOST_TEST(p.all.size() >= 1u);
		for (const kept &k : p.all)
			BOOST_TEST(k.rec.error ==
			    (k.rec.thread.tid == leader ? ESRCH : 0),
			    k.rec.error << ": " <<
			    stack9_why_text(k.rec.why));
		BOOST_TEST(std::any_of(p.all.begin(), p.all.end(),
		    [](const kept &k) { return k.rec.error == 0; }));
	});
}

BOOST_AUTO_TEST_SUITE_END()
