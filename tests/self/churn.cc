// Tests threads that end under the capture, and tids that are given again.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

namespace {

const char *const names[] = {"registers", "signal"};

// Captures, in a child, its first thread after that has ended.
int
zombie_leader(const char *route)
{
	const pid_t leader = getpid();
	std::thread([leader, route] {
		while (state_of(leader) != 'Z')
			std::this_thread::yield();
		capture c;
		const int error = c.save(route_named(route), {leader, 0, 0});
		_exit(error == ESRCH && c.rec.why == STACK9_WHY_ZOMBIE &&
		    c.rec.depth == 0 ? 0 : 1);
	}).detach();
	syscall(SYS_exit, 0);	// pthread_exit() would unwind
	__builtin_unreachable();
}

} // namespace

BOOST_AUTO_TEST_CASE(a_thread_that_is_gone_is_reported)
{
	pid_t tid = 0;
	std::thread([&] { tid = gettid(); }).join();
	while (state_of(tid) != 0)
		std::this_thread::yield();
	for (const char *name : names) {
		capture c;
		BOOST_TEST(c.save(route_named(name), {tid, 0, 0}) == ESRCH);
		BOOST_TEST(c.rec.why == STACK9_WHY_GONE);
		BOOST_TEST(c.rec.depth == 0);
	}
}

BOOST_AUTO_TEST_CASE(a_reused_tid_is_reported)
{
	victim v(lean::obey, deed::read);
	v.await_sleep();
	capture c;
	stack9_thread td = v.thread();
	int error;
	do
		error = c.save(route_named("registers"), td);
	while (error == EAGAIN);
	BOOST_REQUIRE(error == 0);
	td.start = c.rec.thread.start;
	BOOST_TEST(c.save(route_named("registers"), td) == 0);
	td.start++;
	for (const char *name : names) {
		BOOST_TEST(c.save(route_named(name), td) == ESRCH);
		BOOST_TEST(c.rec.why == STACK9_WHY_REUSED);
		BOOST_TEST(c.rec.depth == 0);
	}
}

BOOST_AUTO_TEST_CASE(a_zombie_leader_is_reported)
{
	for (const char *name : names) {
		const pid_t pid = fork();
		if (pid == 0)
			zombie_leader(name);
		int status = -1;
		waitpid(pid, &status, 0);
		BOOST_TEST(status == 0);
	}
}

BOOST_AUTO_TEST_CASE(threads_exiting_under_capture_give_no_other_error)
{
	std::atomic<pid_t> newest{0};
	std::atomic<bool> end{false};
	std::thread breeder([&] {
		while (!end)
			std::thread([&] {
				newest = gettid();
				for (int i = 0; i < 20; i++)
					std::this_thread::yield();
			}).join();
	});
	while (newest == 0)
		std::this_thread::yield();
	long seen[3] = {};
	// It goes on until one was gone: a busy machine may need more.
	for (int i = 0; i < 20000 || (seen[1] == 0 && i < 2000000); i++) {
		capture c;
		const bool sig = signals_arrive && i % 2 != 0;
		const pid_t tid = newest;
		const int error = c.save(route_named(names[sig]), {tid, 0, 0});
		BOOST_REQUIRE_MESSAGE(error == 0 || error == ESRCH ||
		    error == EAGAIN, names[sig] << " says " << error);
		BOOST_REQUIRE((error == 0) == (c.rec.depth > 0));
		seen[error == 0 ? 0 : error == ESRCH ? 1 : 2]++;
	}
	end = true;
	breeder.join();
	BOOST_TEST_MESSAGE(seen[0] << " captured, " << seen[1] << " gone, " <<
	    seen[2] << " again");
	BOOST_TEST(seen[1] > 0);
}
