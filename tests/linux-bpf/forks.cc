// Tests what forks and closed descriptors do to captures.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <functional>
#include <thread>

#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/process.h"
#include "require.h"
#include "kernel_capture.h"


BOOST_AUTO_TEST_SUITE(forks)

namespace {

bool
is_true_in_child(const std::function<bool()> &body)
{
	return lib::in_child([&] { return body() ? 0 : 1; }) == 0;
}

// /proc, as ever, has the same stack.
bool
is_right(const capture &c, pid_t tid)
{
	return named(c.rec) == proc_stack(tid);
}

bool
captures_by_all_routes(pid_t tid)
{
	for (const char *r : {"syscall", "iter-tid", "iter-filter"}) {
		stack9_force(r);
		capture c;
		const int e = c.save(tid);
		if (e != EOPNOTSUPP && (e != 0 || !is_right(c, tid)))
			return false;
	}
	stack9_force(nullptr);
	capture c;
	return c.save(tid) == 0 && is_right(c, tid);
}

} // namespace

BOOST_AUTO_TEST_CASE(a_forked_child_captures_too, *needs("bpf")
    * boost::unit_test::description(
    "after fork(2) the child captures as its parent does"))
{
	const victim v({doing::read});
	BOOST_REQUIRE(captures_by_all_routes(v.pid()));
	BOOST_TEST(is_true_in_child([&] {
		return captures_by_all_routes(v.pid());
	}));
	BOOST_TEST(captures_by_all_routes(v.pid()));
}

BOOST_AUTO_TEST_CASE(a_child_forked_in_the_middle_captures_too, *needs("bpf")
    * boost::unit_test::description(
    "after fork(2) no lock of another thread is left behind"))
{
	const victim v({doing::read});
	std::atomic<bool> stop{false};
	std::thread busy([&] {
		while (!stop) {
			capture c;
			c.save(v.pid());
		}
	});
	int good = 0;
	const int times = rounds(50, 15);
	for (int i = 0; i < times; i++)
		good += is_true_in_child([&] {
			capture c;
			return c.save(v.pid()) == 0 && is_right(c, v.pid());
		});
	stop = true;
	busy.join();
	BOOST_TEST(good == times);
}

BOOST_AUTO_TEST_CASE(a_cloned_child_shares_no_maps, *needs("bpf")
    * boost::unit_test::description(
    "0 mixed, 0 of the wrong tid, where no fork handlers ran"))
{
	const victim reads({doing::read}), polls({doing::poll});
	for (const char *r : {"syscall", "iter-tid", "iter-filter"}) {
		stack9_force(r);
		capture before;		// so that the child inherits it loaded
		if (before.save(reads.pid()) != 0)
			continue;
		const auto captures = [](pid_t tid) {
			capture first;
			bool good = first.save(tid) == 0;
			for (int i = 0; i < 3000 && good; i++) {
				capture c;
				good = c.save(tid) == 0 &&
				    c.rec.thread.tid == tid &&
				    c.rec.depth == first.rec.depth &&
				    std::equal(c.pcs, c.pcs + c.rec.depth,
				    first.pcs);
			}
			return good;
		};
		const auto pid = static_cast<pid_t>(
		    syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
		if (pid == 0)
			_exit(captures(polls.pid()) ? 0 : 1);
		const bool ours = captures(reads.pid());
		int status = -1;
		waitpid(pid, &status, 0);
		BOOST_TEST(ours);
		BOOST_TEST(status == 0);
	}
	stack9_force(nullptr);
}

BOOST_AUTO_TEST_CASE(descriptors_that_somebody_closed_are_made_again,
    *needs("bpf") * boost::unit_test::description(
    "a program that closes all its descriptors keeps its captures"))
{
	const victim v({doing::read});
	BOOST_TEST(is_true_in_child([&] {
		if (!captures_by_all_routes(v.pid()))
			return false;
		for (int fd = 3; fd < 1024; fd++)
			close(fd);
		if (!captures_by_all_routes(v.pid()))
			return false;
		// And when something else now has their numbers.
		for (int fd = 3; fd < 64; fd++)
			dup2(2, fd);
		return captures_by_all_routes(v.pid());
	}));
}

BOOST_AUTO_TEST_CASE(no_descriptor_left_is_reported_and_passes, *needs("bpf")
    * boost::unit_test::description(
    "EMFILE, and later captures work again"))
{
	const victim v({doing::read});
	BOOST_TEST(is_true_in_child([&] {
		rlimit before{}, none{};
		getrlimit(RLIMIT_NOFILE, &before);
		const int next = dup(0);
		close(next);
		none = {static_cast<rlim_t>(next), before.rlim_max};
		setrlimit(RLIMIT_NOFILE, &none);
		// In a child everything but "syscall" is loaded again.
		stack9_force("iter-tid,iter-filter");
		capture c;
		const int error = c.save(v.pid());
		setrlimit(RLIMIT_NOFILE, &before);
		return error == EMFILE && captures_by_all_routes(v.pid());
	}));
}

BOOST_AUTO_TEST_SUITE_END()
