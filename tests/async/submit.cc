// Tests what is submitted, and what is not.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <climits>
#include <csignal>
#include <fstream>
#include <set>

#include <sys/wait.h>
#include <unistd.h>

#include "core_calls.h"
#include "puppets.h"

BOOST_AUTO_TEST_SUITE(async_submit)

BOOST_AUTO_TEST_CASE(an_id_at_once, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("a capture's id: An id is never 0, and "
    "never given out twice; No two submissions share an id"))
{
	const puppets p;
	std::set<stack9_id> ids;
	for (int i = 0; i < 3000; i++)
		BOOST_REQUIRE(ids.insert(submission(p.tid()).id).second);
	std::deque<submission> held;
	for (int i = 0; i < 500; i++)
		BOOST_REQUIRE(ids.insert(
		    held.emplace_back(p.tid()).id).second);
	BOOST_TEST(ids.count(0) == 0u);
	BOOST_TEST(p.returned() == 0u);
}

BOOST_AUTO_TEST_CASE(wrong_arguments, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("EINVAL; *id is written only if 0 is "
    "returned"))
{
	const stack9_thread self = thread_of(gettid());
	stack9_id id;
	BOOST_TEST(core::submit(nullptr, STACK9_BOTH, 0, &id) == EINVAL);
	BOOST_TEST(core::submit(&self, STACK9_BOTH, 0, nullptr) == EINVAL);
	// Others are not values of it in C++.
	BOOST_TEST(refusal(self, static_cast<stack9_side>(0)) == EINVAL);
	for (const unsigned int flags : {2u, 4u, 8u, 16u,
	    STACK9_ASYNC_WAKE | 2u, ~0u})
		BOOST_TEST(refusal(self, STACK9_BOTH, flags) == EINVAL);
	for (const pid_t tid : {0, -1, INT_MIN})
		BOOST_TEST(refusal(tid) == EINVAL);
}

BOOST_AUTO_TEST_CASE(no_such_thread, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("ESRCH"))
{
	BOOST_TEST(refusal(INT_MAX) == ESRCH);
	BOOST_TEST(refusal(INT_MAX, STACK9_KERNEL) == ESRCH);
	puppets p;
	stack9_thread other = thread_of(p.tid());
	other.start++;
	BOOST_TEST(refusal(other) == ESRCH);	// the tid was given again
	const stack9_thread td = thread_of(p.tid());
	p.end();
	BOOST_TEST(refusal(td) == ESRCH);
}

BOOST_AUTO_TEST_CASE(a_zombie, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("ESRCH"))
{
	const child dead;
	kill(dead.pid(), SIGKILL);
	siginfo_t info;
	BOOST_REQUIRE(waitid(P_PID, static_cast<id_t>(dead.pid()), &info,
	    WEXITED | WNOWAIT) == 0);
	for (const stack9_side side : {STACK9_KERNEL, STACK9_USER,
	    STACK9_BOTH})
		BOOST_TEST(refusal(dead.pid(), side) == ESRCH);
}

BOOST_AUTO_TEST_CASE(nothing_of_that_id, *needs("bpf") * needs_task_work()
    * boost::unit_test::description(
    "ENOENT: the id is unknown, or has been released; EINVAL: id is 0, or a "
    "record has max 0"))
{
	const puppets p;
	stack9_id last;
	{
		const submission s(p.tid());
		last = s.id;
		capture none;
		none.rec.max = 0;
		BOOST_TEST(core::collect(s.id, &none.rec, nullptr) == EINVAL);
		BOOST_TEST(core::collect(s.id, nullptr, &none.rec) == EINVAL);
		none.rec.max = 1;
		none.rec.pcs = nullptr;
		BOOST_TEST(core::collect(s.id, &none.rec, nullptr) == EINVAL);
		BOOST_TEST(core::collect(s.id, nullptr, nullptr) == EAGAIN);
	}
	answer a(p.pid());
	BOOST_TEST(a.collect(0) == EINVAL);
	for (const stack9_id id : {last, last + 1, last << 1, ~stack9_id{0},
	    stack9_id{1}}) {
		BOOST_TEST(a.collect(id) == ENOENT);
		BOOST_TEST(core::cancel(id) == ENOENT);
		BOOST_TEST(core::release(id) == ENOENT);
	}
	BOOST_TEST(core::cancel(0) == ENOENT);
	BOOST_TEST(core::release(0) == ENOENT);
}

BOOST_AUTO_TEST_CASE(one_side, *needs("bpf") * needs_task_work()
    * boost::unit_test::description(
    "each record has its side, with an error of its own (EINVAL: that side "
    "was not asked for)"))
{
	puppets p;
	answer a(p.pid());
	const submission kernel(p.tid(), STACK9_KERNEL);
	BOOST_TEST(a.outcome(kernel.id) == 0);	// nobody has to wake for that
	BOOST_TEST(p.returned() == 0u);
	BOOST_TEST(a.kernel.rec.side == STACK9_KERNEL);
	BOOST_TEST(named(a.kernel.rec) == proc_stack(p.tid()),
	    boost::test_tools::per_element());
	BOOST_TEST(a.user.rec.error == EINVAL);
	BOOST_TEST(a.user.rec.depth == 0u);

	const submission user(p.tid(), STACK9_USER);
	BOOST_TEST(a.collect(user.id) == EAGAIN);
	BOOST_TEST(a.kernel.rec.error == EINVAL);
	p.wake();
	BOOST_TEST(a.outcome(user.id) == 0);
	BOOST_TEST(a.user.rec.side == STACK9_USER);
	BOOST_TEST(a.fault({"read", "obey"}) == "");
	BOOST_TEST(a.kernel.rec.error == EINVAL);
	BOOST_TEST(a.kernel.rec.depth == 0u);
}

BOOST_AUTO_TEST_CASE(a_kernel_thread, *needs("root") * needs("bpf")
    * needs_task_work() * boost::unit_test::description(
    "EOPNOTSUPP: side is STACK9_USER and td is a kernel thread"))
{
	std::string comm;	// kthreadd, unless we are in a pid namespace
	std::ifstream("/proc/2/comm") >> comm;
	if (comm != "kthreadd") {
		BOOST_TEST_MESSAGE("no kernel thread to be seen");
		return;
	}
	BOOST_TEST(refusal(2, STACK9_USER) == EOPNOTSUPP);
	const submission s(2, STACK9_KERNEL);
	capture c;
	BOOST_TEST(collect_over(s.id) == 0);
	BOOST_TEST(core::collect(s.id, &c.rec, nullptr) == 0);
	BOOST_TEST(c.rec.error == 0);
	BOOST_TEST(c.rec.depth > 0u);
	BOOST_TEST(std::string(c.rec.comm) == "kthreadd");
}

BOOST_AUTO_TEST_CASE(no_rights, *needs("root") * needs("bpf")
    * needs_task_work() * boost::unit_test::description("EPERM"))
{
	const puppets p;
	BOOST_TEST(in_child([&] {
		if (setgid(65534) != 0 || setuid(65534) != 0)
			return 90;
		stack9_id id;
		const stack9_thread td{p.tid(), p.pid(), 0};
		return core::submit(&td, STACK9_BOTH, 0, &id);
	}) == EPERM);
}

BOOST_AUTO_TEST_SUITE_END()
