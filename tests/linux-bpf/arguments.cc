// Tests every thread one may name, and what is said of it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <climits>
#include <csignal>
#include <cstring>
#include <thread>

#include <linux/sched.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core_calls.h"
#include "require.h"
#include "kernel_capture.h"

BOOST_AUTO_TEST_SUITE(arguments)

namespace {

std::vector<std::string>
routes()
{
	std::vector<std::string> all = routes_of("kernel stack");
	std::erase(all, "procfs");
	return all;
}

// On every error depth is 0 and nothing is stale.
void
expect(pid_t tid, std::uint64_t start, int error, stack9_why why)
{
	for (const std::string &r : routes()) {
		const forced only(r);
		capture c;
		c.rec.depth = 7;
		BOOST_TEST_CONTEXT(r << ", tid " << tid) {
			BOOST_TEST(c.save(stack9_thread{tid, tid, start}) ==
			    error);
			BOOST_TEST(c.rec.error == error);
			BOOST_TEST(c.rec.why == why);
			BOOST_TEST((error == 0) == (c.rec.depth > 0));
		}
	}
}

// A child with this very tid; the kernel lets root choose.
pid_t
child_with_tid(pid_t tid)
{
	clone_args args{};
	args.exit_signal = SIGCHLD;
	args.set_tid = reinterpret_cast<std::uintptr_t>(&tid);
	args.set_tid_size = 1;
	const long pid = syscall(SYS_clone3, &args, sizeof args);
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	return static_cast<pid_t>(pid);
}

} // namespace

BOOST_AUTO_TEST_CASE(null_and_no_room_are_einval,
    *boost::unit_test::description("EINVAL: a pointer is NULL, tid < 1, max is "
    "0"))
{
	capture c;
	const stack9_thread td{getpid(), getpid(), 0};
	BOOST_TEST(core::save(STACK9_KERNEL, nullptr, &c.rec) == EINVAL);
	BOOST_TEST(core::save(STACK9_KERNEL, &td, nullptr) == EINVAL);
	c.rec.max = 0;
	BOOST_TEST(core::save(STACK9_KERNEL, &td, &c.rec) == EINVAL);
	c.rec.max = 1;
	BOOST_TEST(core::save(static_cast<stack9_side>(9), &td, &c.rec) ==
	    EINVAL);
	for (const pid_t tid : {0, -1, INT_MIN}) {
		const stack9_thread bad{tid, tid, 0};
		BOOST_TEST(core::save(STACK9_KERNEL, &bad, &c.rec) == EINVAL);
		stack9_thread out{};
		BOOST_TEST(stack9_thread_find(tid, &out) == EINVAL);
	}
}

BOOST_AUTO_TEST_CASE(tids_that_no_thread_has_are_esrch, *needs("bpf")
    * boost::unit_test::description("ESRCH: no thread has this tid"))
{
	expect(INT_MAX, 0, ESRCH, STACK9_WHY_GONE);
	expect(1 << 22, 0, ESRCH, STACK9_WHY_GONE);
}

BOOST_AUTO_TEST_CASE(the_dead_are_esrch, *needs("bpf")
    * boost::unit_test::description("ESRCH: the thread is gone"))
{
	victim v({doing::read});
	const stack9_thread td = thread_of(v.pid());
	v.kill_and_reap();
	expect(td.tid, td.start, ESRCH, STACK9_WHY_GONE);
	stack9_thread out{};
	BOOST_TEST(stack9_thread_find(td.tid, &out) == ESRCH);
}

BOOST_AUTO_TEST_CASE(a_zombie_is_esrch_and_called_so, *needs("bpf")
    * boost::unit_test::description("ESRCH: dead, waiting to be reaped"))
{
	const pid_t pid = fork();
	if (pid == 0)
		_exit(0);
	siginfo_t info;
	waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT);
	expect(pid, 0, ESRCH, STACK9_WHY_ZOMBIE);
	waitpid(pid, nullptr, 0);
}

BOOST_AUTO_TEST_CASE(a_leader_may_be_dead_while_its_thread_lives,
    *needs("bpf") * boost::unit_test::description(
    "leader exited, thread lives: leader ESRCH, thread 0"))
{
	int told[2];
	BOOST_REQUIRE(pipe(told) == 0);
	const pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		std::thread([&] {
			const pid_t tid = gettid();
			if (write(told[1], &tid, sizeof tid) < 0)
				_exit(1);
			for (;;)
				pause();
		}).detach();
		syscall(SYS_exit, 0);
	}
	pid_t tid = 0;
	BOOST_REQUIRE(read(told[0], &tid, sizeof tid) == sizeof tid);
	wait_for_state(pid, 'Z');
	wait_for_state(tid, 'S');
	expect(pid, 0, ESRCH, STACK9_WHY_ZOMBIE);
	expect(tid, 0, 0, STACK9_WHY_NONE);
	kill(pid, SIGKILL);
	waitpid(pid, nullptr, 0);
	close(told[0]);
	close(told[1]);
}

BOOST_AUTO_TEST_CASE(a_pid_means_its_leader_only, *needs("bpf")
    * boost::unit_test::description("pid given: the leader's stack only"))
{
	const victim v({doing::poll, doing::futex});
	for (const std::string &r : routes()) {
		const forced only(r);
		capture c;
		BOOST_REQUIRE_EQUAL(c.save(v.pid()), 0);
		BOOST_TEST(c.rec.thread.tid == v.pid());
		BOOST_TEST(named(c.rec) == proc_stack(v.pid()),
		    boost::test_tools::per_element());
	}
}

BOOST_AUTO_TEST_CASE(a_reused_tid_is_esrch, *needs("root")
    * needs("bpf") * boost::unit_test::description(
    "ESRCH: its tid now is another thread's"))
{
	victim v({doing::read});
	const stack9_thread td = thread_of(v.pid());
	v.kill_and_reap();
	// Start times differ by clock ticks: let one pass.
	stack9_thread later{};
	pid_t again = -1;
	do {
		if (again > 0) {
			kill(again, SIGKILL);
			waitpid(again, nullptr, 0);
		}
		again = child_with_tid(td.tid);
		if (again < 0) {
			BOOST_TEST_MESSAGE("clone3 set_tid: refused");
			return;
		}
		later = thread_of(again);
	} while (later.start == td.start);
	wait_for_state(again, 'S');
	BOOST_TEST(again == td.tid);
	expect(td.tid, td.start, ESRCH, STACK9_WHY_REUSED);
	expect(td.tid, later.start, 0, STACK9_WHY_NONE);
	kill(again, SIGKILL);
	waitpid(again, nullptr, 0);
}

BOOST_AUTO_TEST_CASE(an_earlier_holder_of_the_callers_tid_is_esrch,
    *boost::unit_test::description(
    "ESRCH: its tid now is another thread's, the caller's own too"))
{
	stack9_thread self{};
	BOOST_REQUIRE_EQUAL(stack9_thread_self(&self), 0);
	self.start--;
	capture c;
	BOOST_TEST(c.save(self) == ESRCH);
	BOOST_TEST(c.rec.why == STACK9_WHY_REUSED);
}

BOOST_AUTO_TEST_CASE(a_vfork_parent_and_its_child, *needs("bpf")
    * boost::unit_test::description("vfork parent: kernel stack 0"))
{
	int told[2];
	BOOST_REQUIRE(pipe(told) == 0);
	const pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (vfork() == 0) {
			const pid_t child = getpid();
			if (write(told[1], &child, sizeof child) < 0)
				_exit(1);
			for (;;)
				pause();
		}
		_exit(0);
	}
	pid_t child = 0;
	BOOST_REQUIRE(read(told[0], &child, sizeof child) == sizeof child);
	wait_for_state(child, 'S');
	wait_for_state(pid, 'D');
	expect(pid, 0, 0, STACK9_WHY_NONE);
	expect(child, 0, 0, STACK9_WHY_NONE);
	kill(child, SIGKILL);
	kill(pid, SIGKILL);
	waitpid(pid, nullptr, 0);
	close(told[0]);
	close(told[1]);
}

// A thread of the victim lives for some 20 us.
BOOST_AUTO_TEST_CASE(exiting_threads_end_in_one_of_three_words, *needs("bpf")
    * boost::unit_test::description("only 0, ESRCH and EAGAIN"))
{
	const victim v({doing::come_and_go});
	for (const std::string &r : routes()) {
		const forced only(r);
		int other = 0, stale = 0, met = 0, gone = 0;
		capture c;
		for (int i = 0; i < rounds(5000, 1500) || met == 0 || gone == 0;
		    i++) {
			const pid_t tid = newest_tid() + i % 2;
			c.rec.depth = 7;
			const int error = c.save(tid);
			// Others have tids there, too, and a guarded machine
			// hides some.
			stack9_thread its{};
			other += error != 0 && error != ESRCH &&
			    error != EAGAIN && (stack9_thread_find(tid, &its) !=
			    0 || its.pid == v.pid());
			stale += (error == 0) != (c.rec.depth > 0) ||
			    (error == 0 && c.rec.thread.tid != tid);
			met += error != ESRCH;
			gone += error == ESRCH;
		}
		BOOST_TEST_MESSAGE(r << ": met " << met << ", gone " << gone);
		BOOST_TEST(other == 0);
		BOOST_TEST(stale == 0);
	}
}

BOOST_AUTO_TEST_SUITE_END()
