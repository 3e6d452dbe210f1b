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
