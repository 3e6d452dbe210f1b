// Tests that a thread which has ended leaves its process: its space and the
// stack that it has copied.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>
#include <cerrno>
#include <string>
#include <thread>

#include <boost/test/unit_test.hpp>
#include <sched.h>
#include <stack9_async.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/queued.h"
#include "child.h"
#include "require.h"

using boost::unit_test::description;

BOOST_AUTO_TEST_SUITE(of_a_thread_that_has_ended)

namespace {

// The kernel wakes who joins a thread before its directory is gone.
void
wait_until_gone(pid_t tid)
{
	const std::string directory = "/proc/self/task/" + std::to_string(tid);
	while (access(directory.c_str(), F_OK) == 0)
		sched_yield();
}

} // namespace

// By such a start a process that began later has the pid.
BOOST_AUTO_TEST_CASE(its_space, *description(
    "stack9_space_open() gives the space of the process, also if td has "
    "ended"))
{
	stack9_thread td{}, self{};
	std::thread([&] { stack9_thread_self(&td); }).join();
	wait_until_gone(td.tid);
	stack9_space *s = nullptr, *of_self = nullptr;
	BOOST_TEST_REQUIRE(stack9_space_open(&td, &s) == 0, stack9_reason());
	BOOST_TEST(stack9_thread_self(&self) == 0);
	BOOST_TEST(stack9_space_open(&self, &of_self) == 0);
	BOOST_TEST(s == of_self);
	stack9_space_close(s);
	stack9_space_close(of_self);
	td.start = 1;
	BOOST_TEST(stack9_space_open(&td, &s) == ESRCH);
	td.start = 0;
	BOOST_TEST(stack9_space_open(&td, &s) == ESRCH);
}

// Its process has the memory that it was copied from, and lives on.
BOOST_AUTO_TEST_CASE(its_stack, *needs("bpf") * description(
    "over: collect gives 0, whatever happens to the thread"))
{
	int to[2];
	BOOST_REQUIRE(pipe(to) == 0);
	std::atomic<pid_t> tid{0};
	std::thread t([&] {
		char byte;
		tid = gettid();
		(void)!read(to[0], &byte, 1);
	});
	while (tid == 0 || !is_in_call(tid, SYS_read))
		sched_yield();
	stack9_thread td;
	BOOST_REQUIRE_EQUAL(stack9_thread_find(tid, &td), 0);
	stack9_async *s = nullptr;
	stack9_id id = 0;
	BOOST_TEST_REQUIRE(stack9_async_open(&s) == 0, stack9_reason());
	BOOST_TEST_REQUIRE(stack9_async_submit(s, &td, STACK9_BOTH,
	    STACK9_ASYNC_WAKE, 0, &id) == 0, stack9_reason());
	BOOST_TEST(write(to[1], "", 1) == 1);
	t.join();
	wait_until_gone(td.tid);
	stack9_sample *got = nullptr;
	BOOST_TEST(stack9_async_collect(s, id, nullptr, &got) == 0,
	    stack9_reason());
	const api::sample kept(got);
	BOOST_TEST(got->user->why == STACK9_WHY_NONE);
	BOOST_TEST(api::has(api::names_of(got->user), "read"));
	stack9_async_close(s);
	close(to[0]);
	close(to[1]);
}

BOOST_AUTO_TEST_SUITE_END()
