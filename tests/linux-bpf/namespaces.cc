// Tests that tids in pid namespaces are the caller's.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <csignal>
#include <cstdio>
#include <cstring>
#include <functional>
#include <set>

#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core_calls.h"
#include "require.h"
#include "kernel_capture.h"
#include "pid_ns.h"

BOOST_AUTO_TEST_SUITE(namespaces)

BOOST_AUTO_TEST_CASE(inside_one_tids_are_translated, *needs("mounts")
    * needs("bpf") * boost::unit_test::description(
    "In a pid namespace tids are the caller's"))
{
	const int status = in_new_pid_ns([] {
		// Its tid in here is 2.  Outside that is kthreadd's.
		const victim v({doing::poll});
		if (v.pid() != 2)
			return 77;
		int step = 1;
		for (const char *r : {"syscall", "iter-tid", "iter-filter",
		    ""}) {
			stack9_force(r);
			capture c;
			const int e = c.save(thread_of(2));
			if (e == EOPNOTSUPP && *r != '\0')
				continue;
			if (e != 0)
				return step;
			if (c.rec.thread.tid != 2 || c.rec.thread.pid != 2 ||
			    std::strcmp(c.rec.comm, "v1-0") != 0)
				return 10 + step;
			if (named(c.rec) != proc_stack(2))
				return 20 + step;
			step++;
		}
		stack9_force(nullptr);
		capture c;
		if (c.save(77777) != ESRCH)
			return 40;
		std::set<pid_t> all;
		if (core::each(STACK9_KERNEL, 0,
		    [](void *arg, const stack9::stack_record *rec) {
			    static_cast<std::set<pid_t> *>(arg)->insert(
				rec->thread.tid);
			    return 0;
		    }, &all) != 0)
			return 41;
		return all == std::set<pid_t>{1, 2} ? 0 : 42;
	});
	if (status == 77) {
		BOOST_TEST_MESSAGE("no new pid namespace to be had here");
		return;
	}
	BOOST_TEST(status == 0);
}

BOOST_AUTO_TEST_CASE(a_running_thread_inside_one_is_found, *needs("mounts")
    * needs("bpf") * boost::unit_test::description(
    "In a pid namespace tids are the caller's, of running threads too"))
{
	const int times = in_guest() ? rounds(1000, 250) : 1000;
	const int status = in_new_pid_ns([times] {
		const victim v({doing::spin_syscall});
		bool kernel = false;
		// On a busy machine it may wait for its CPU for long.
		for (int i = 0; i < times || !kernel; i++) {
			capture c;
			const int e = c.save(v.pid());
			if (i >= times)
				sched_yield();
			if (e != 0 && e != EAGAIN)
				return 1 + e;
			if (e == 0 && std::strcmp(c.rec.comm, "v7-0") != 0)
				return 98;
			kernel = kernel || e == 0;
		}
		return kernel ? 0 : 1;
	});
	if (status != 77)
		BOOST_TEST(status == 0);
}

BOOST_AUTO_TEST_CASE(a_thread_of_an_inner_one_is_found_from_outside,
    *needs("root") * needs("bpf") * boost::unit_test::description(
    "thread of a child pid namespace by outer tid: 0"))
{
	// unshare(2) moves the children of a process, not the process itself.
	int told[2];
	BOOST_REQUIRE(pipe(told) == 0);
	const pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (unshare(CLONE_NEWPID) != 0)
			_exit(77);
		const pid_t inner = fork();
		if (inner == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			for (;;)
				pause();
		}
		if (write(told[1], &inner, sizeof inner) < 0)
			_exit(1);
		waitpid(inner, nullptr, 0);
		_exit(0);
	}
	pid_t inner = 0;
	BOOST_REQUIRE(read(told[0], &inner, sizeof inner) == sizeof inner);
	wait_for_state(inner, 'S');
	for (const std::string &r : routes_of("kernel stack")) {
		if (r == "procfs")	// it knows no addresses
			continue;
		const forced only(r);
		capture c;
		BOOST_TEST(c.save(thread_of(inner)) == 0, r);
		BOOST_TEST(c.rec.thread.tid == inner);
		BOOST_TEST(named(c.rec) == proc_stack(inner),
		    boost::test_tools::per_element());
	}
	kill(inner, SIGKILL);
	waitpid(pid, nullptr, 0);
	close(told[0]);
	close(told[1]);
}

BOOST_AUTO_TEST_CASE(another_clock_does_not_hide_a_thread, *needs("root")
    * needs("bpf") * boost::unit_test::description(
    "start: /proc/TID/stat field 22, in a time namespace too"))
{
	const victim v({doing::read});
	const stack9_thread outside = thread_of(v.pid());
	capture c;	// before the fork: what is remembered must not count
	BOOST_REQUIRE_EQUAL(c.save(outside), 0);
	std::fflush(nullptr);
	const pid_t pid = fork();
	if (pid == 0) {
		FILE *offsets = nullptr;
		if (unshare(CLONE_NEWTIME) != 0 || (offsets = std::fopen(
		    "/proc/self/timens_offsets", "w")) == nullptr ||
		    std::fputs("boottime 1000 5000000\n", offsets) < 0 ||
		    std::fclose(offsets) != 0)
			_exit(77);
		const pid_t inside = fork();
		if (inside == 0) {
			stack9_thread td{};
			if (stack9_thread_find(v.pid(), &td) != 0)
				_exit(1);
			// 5.10 shows start times as they are outside.
			const int other = td.start == outside.start ? 0 : ESRCH;
			for (const char *r : {"", "iter-filter"}) {
				const forced only(r);
				if (c.save(td) != 0 ||
				    c.save(outside) != other)
					_exit(2);
				c.save(stack9_thread{td.tid, td.pid, 0});
				if (c.rec.thread.start != td.start)
					_exit(3);
			}
			_exit(0);
		}
		int status = 0;
		waitpid(inside, &status, 0);
		_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 99);
	}
	int status = 0;
	waitpid(pid, &status, 0);
	if (WEXITSTATUS(status) == 77)
		BOOST_TEST_MESSAGE("no time namespace to be had here");
	else
		BOOST_TEST(status == 0);
}

BOOST_AUTO_TEST_SUITE_END()
