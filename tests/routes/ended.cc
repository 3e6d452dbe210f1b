// Tests what each route says of threads that have ended or that are in part.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <climits>
#include <csignal>
#include <thread>

#include <linux/sched.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core_calls.h"
#include "require.h"
#include "rows.h"
#include "user.h"

BOOST_AUTO_TEST_SUITE(ended)

namespace {

using boost::unit_test::description;

// A pass says of a thread that is not there nothing at all.
void
expect(const stack9_thread &td, int error, stack9_why why)
{
	by_each(rows(), [&](const row &r) {
		const answer a = ask(r, td);
		BOOST_TEST(a.error == error);
		if ((!r.is_pass || a.thread.tid == td.tid) &&
		    !lacks_registers(r, a))
			BOOST_TEST(a.why == why, stack9_why_text(a.why));
	});
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

// Sends a tid to the test, and does nothing more.
[[noreturn]] void
say_and_wait(int to, pid_t tid)
{
	if (write(to, &tid, sizeof tid) < 0)
		_exit(1);
	for (;;)
		pause();
}

pid_t
next_tid(int from)
{
	pid_t tid = 0;
	BOOST_REQUIRE(read(from, &tid, sizeof tid) == sizeof tid);
	return tid;
}

} // namespace

BOOST_AUTO_TEST_CASE(tids_that_no_thread_has_are_esrch, *description(
    "ESRCH: no thread has this tid"))
{
	for (const pid_t tid : {INT_MAX, 1 << 22})
		expect({tid, tid, 0}, ESRCH, STACK9_WHY_GONE);
}

BOOST_AUTO_TEST_CASE(the_dead_are_esrch, *description(
    "ESRCH: the thread is gone"))
{
	victim v({doing::read});
	const stack9_thread td = thread_of(v.pid());
	v.kill_and_reap();
	expect(td, ESRCH, STACK9_WHY_GONE);
	stack9_thread out{};
	BOOST_TEST(stack9_thread_find(td.tid, &out) == ESRCH);
}

BOOST_AUTO_TEST_CASE(a_zombie_is_esrch_and_called_so, *description(
    "ESRCH: dead, waiting to be reaped"))
{
	const child target;
	target.kill_only();
	wait_for_state(target.pid(), 'Z');
	expect({target.pid(), target.pid(), 0}, ESRCH, STACK9_WHY_ZOMBIE);
}

BOOST_AUTO_TEST_CASE(a_leader_may_be_dead_while_its_thread_lives,
    *description("leader exited, thread lives: leader ESRCH, thread 0"))
{
	const lib::pipe_ends ends = lib::make_pipe();
	pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		std::thread([&] { say_and_wait(ends.w, gettid()); }).detach();
		syscall(SYS_exit, 0);
	}
	const pid_t tid = next_tid(ends.r);
	wait_for_state(pid, 'Z');
	wait_for_state(tid, 'S');
	expect({pid, pid, 0}, ESRCH, STACK9_WHY_ZOMBIE);
	expect({tid, pid, 0}, 0, STACK9_WHY_NONE);
	lib::kill_and_reap(pid);
	close(ends.r);
	close(ends.w);
}

BOOST_AUTO_TEST_CASE(a_reused_tid_is_esrch, *needs("root") *
    description("ESRCH: its tid now is another thread's"))
{
	victim v({doing::read});
	const stack9_thread td = thread_of(v.pid());
	v.kill_and_reap();
	// Start times differ by clock ticks: let one pass.
	stack9_thread later{};
	pid_t again = -1;
	do {
		lib::kill_and_reap(again);
		again = child_with_tid(td.tid);
		if (again < 0) {
			BOOST_TEST_MESSAGE("clone3 set_tid: refused");
			return;
		}
		later = thread_of(again);
	} while (later.start == td.start);
	wait_for_state(again, 'S');
	by_each(captures(), [&](const row &r) {
		const answer a = ask(r, td);
		BOOST_TEST(a.error == ESRCH);
		BOOST_TEST(a.why == STACK9_WHY_REUSED);
		BOOST_TEST(ask(r, later).error == 0);
	});
	lib::kill_and_reap(again);
}

BOOST_AUTO_TEST_CASE(a_vfork_parent_and_its_child, *description(
    "vfork parent: kernel stack 0"))
{
	const lib::pipe_ends ends = lib::make_pipe();
	pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (vfork() == 0)
			say_and_wait(ends.w, getpid());
		_exit(0);
	}
	const pid_t inner = next_tid(ends.r);
	wait_for_state(inner, 'S');
	wait_for_state(pid, 'D');
	by_each(rows(), [&](const row &r) {
		if (r.side == STACK9_KERNEL)
			for (const pid_t tid : {pid, inner})
				BOOST_TEST(ask(r, {tid, tid, 0}).error == 0);
	});
	kill(inner, SIGKILL);
	lib::kill_and_reap(pid);
	close(ends.r);
	close(ends.w);
}

BOOST_AUTO_TEST_SUITE_END()
