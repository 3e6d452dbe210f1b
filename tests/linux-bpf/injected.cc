// Tests passes that fail, and passes that show nothing, as on a kernel that
// loads the programs and runs them in vain.  Every capture is made in a child:
// a process keeps what it has learned of the kernel.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cerrno>
#include <set>
#include <string>

#include <linux/bpf.h>
#include <unistd.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>

#include "core_calls.h"
#include "lib/process.h"
#include "injected_reads.h"
#include "kernel_capture.h"
#include "refuse_bpf.h"
#include "require.h"

using lib::in_child;

BOOST_AUTO_TEST_SUITE(injected_failures)

namespace {

const char no_stop[] = "syscall,iter-tid,iter-filter,iter,user-syscall,"
    "user-iter,procfs";

struct seen {
	std::multiset<pid_t>	tids{};
	std::set<std::string>	routes{};
};

int
note(void *arg, const stack9::stack_record *rec)
{
	seen &s = *static_cast<seen *>(arg);
	s.tids.insert(rec->thread.tid);
	if (rec->route != nullptr)
		s.routes.insert(rec->route);
	return 0;
}

// 0: the pass shows each thread of the victim once, some of them by procfs, and
// none by a route that a fault keeps from all.
int
pass_in_spite(stack9_side side, const victim &v, bool by_both = false)
{
	seen s;
	stack9_force(no_stop);
	const int error = core::each(side, v.pid(), note, &s);
	if (error != 0)
		return error;
	if (s.tids != std::multiset<pid_t>(v.tids().begin(), v.tids().end()))
		return 90;
	if (!s.routes.contains("procfs"))
		return 91;
	return by_both == (s.routes.contains("iter") ||
	    s.routes.contains("user-iter")) ? 0 : 92;
}

int
pass_of_machine(stack9_side side, const victim &v)
{
	seen s;
	stack9_force(no_stop);
	if (const int error = core::each(side, 0, note, &s); error != 0)
		return error;
	for (const pid_t tid : v.tids())
		if (s.tids.count(tid) != 1)
			return 90;
	return s.routes.contains("iter") || s.routes.contains("user-iter") ?
	    92 : 0;
}

// The error of a route as --check prints it.
struct checked {
	std::string	job, route;
	int		error = -1;
	std::string	reason{};
};

checked
check(const std::string &job, const std::string &route)
{
	checked c{job, route};
	stack9_routes([](void *arg, const char *j, const char *r, int error,
	    const char *reason) {
		checked &to = *static_cast<checked *>(arg);
		if (to.job == j && to.route == r) {
			to.error = error;
			to.reason = reason == nullptr ? "" : reason;
		}
		return 0;
	}, &c);
	return c;
}

bool
has_no_pass_over_users()
{
	return in_child([] {
		return check("user stacks of many threads",
		    "user-iter").error;
	}) != 0;
}

const std::vector<doing> many(200, doing::read);
constexpr stack9_side sides[] = {STACK9_KERNEL, STACK9_USER};

} // namespace

BOOST_AUTO_TEST_CASE(a_pass_without_the_caller_is_not_believed, *needs("root")
    * needs("bpf") * boost::unit_test::description(
    "WHEN A ROUTE FAILS: A route whose programs the kernel loads is asked "
    "only after a trial in which it has found the calling thread."))
{
	const std::pair<const char *, const char *> routes[] = {
	    {"kernel stack", "iter-filter"},
	    {"kernel stacks of many threads", "iter"},
	    {"user stack", "user-iter"},
	    {"user stacks of many threads", "user-iter"},
	};
	for (const auto &[job, route] : routes) {
		if (in_child([&] { return check(job, route).error; }) != 0) {
			BOOST_TEST_MESSAGE(route << " is not there");
			continue;
		}
		BOOST_TEST(in_child([&] {
			inject(fault::empty);
			const checked c = check(job, route);
			return c.reason == "in a trial its program did not "
			    "find the calling thread" ? c.error : 99;
		}) == EOPNOTSUPP, job);
	}
}

BOOST_AUTO_TEST_CASE(an_empty_trial_is_the_next_routes_turn, *needs("root")
    * needs("bpf") * boost::unit_test::description(
    "no pass shows a thread: each thread comes by /proc"))
{
	const victim v(many);
	for (const stack9_side side : sides) {
		BOOST_TEST(in_child([&] {
			inject(fault::empty);
			return pass_in_spite(side, v);
		}) == 0);
		BOOST_TEST(in_child([&] {
			inject(fault::empty);
			return pass_of_machine(side, v);
		}) == 0);
	}
}

BOOST_AUTO_TEST_CASE(an_empty_pass_is_the_next_routes_turn, *needs("root")
    * needs("bpf") * boost::unit_test::description(
    "WHEN A ROUTE FAILS: If a pass over many threads fails, or shows nothing "
    "of a process that /proc has, or does not show the calling thread among "
    "the threads of the machine, the next route passes over them."))
{
	const victim v(many);
	for (const stack9_side side : sides) {
		BOOST_TEST(in_child([&] {
			seen unused;
			core::each(side, v.pid(), note, &unused);
			inject(fault::empty);
			return pass_in_spite(side, v);
		}) == 0);
		BOOST_TEST(in_child([&] {
			seen unused;
			core::each(side, v.pid(), note, &unused);
			inject(fault::empty);
			return pass_of_machine(side, v);
		}) == 0);
	}
}

BOOST_AUTO_TEST_CASE(a_dead_process_is_no_process, *needs("bpf")
    * boost::unit_test::description("ESRCH: no such process"))
{
	victim v({doing::read});
	const pid_t pid = v.pid();
	v.kill_and_reap();
	for (const stack9_side side : sides)
		BOOST_TEST(in_child([&] {
			seen s;
			return core::each(side, pid, note, &s);
		}) == ESRCH);
}

BOOST_TEST_DECORATOR(*needs("root") * needs("bpf"))
BOOST_DATA_TEST_CASE(a_failed_read_is_the_next_routes_turn,
    boost::unit_test::data::make({EIO, EINVAL, ESRCH, ENOMEM, EPERM}), error)
{
	const victim v(many);
	for (const stack9_side side : sides) {
		// The trial fails; the first read after the trial does.
		BOOST_TEST(in_child([&] {
			inject(fault::failure, all_reads, 0, error);
			return pass_in_spite(side, v);
		}) == 0);
		BOOST_TEST(in_child([&] {
			seen unused;
			core::each(side, v.pid(), note, &unused);
			inject(fault::failure, all_reads, 0, error);
			return pass_in_spite(side, v);
		}) == 0);
	}
}

BOOST_AUTO_TEST_CASE(a_pass_that_no_other_route_makes, *needs("root")
    * needs("bpf") * boost::unit_test::description(
    "EIO: A pass over many threads failed, and no other route could make it"))
{
	const victim v(many);
	for (const fault what : {fault::failure, fault::empty})
		BOOST_TEST(in_child([&] {
			seen s;
			stack9_force("iter");
			core::each(STACK9_KERNEL, v.pid(), note, &s);
			inject(what, all_reads, 0, EINVAL);
			return core::each(STACK9_KERNEL, v.pid(), note, &s);
		}) == EIO);
}

BOOST_AUTO_TEST_CASE(a_read_that_fails_in_the_middle, *needs("root")
    * needs("bpf") * boost::unit_test::description(
    "WHEN A ROUTE FAILS: A thread that was delivered before a pass failed is "
    "not delivered again."))
{
	const victim v(many);
	for (const stack9_side side : sides) {
		if (side == STACK9_USER && has_no_pass_over_users())
			continue;
		BOOST_TEST(in_child([&] {
			seen unused;
			core::each(side, v.pid(), note, &unused);
			inject(fault::failure, all_reads, 2, EIO);
			return pass_in_spite(side, v, true);
		}) == 0);
	}
}

BOOST_TEST_DECORATOR(*needs("root") * needs("bpf"))
BOOST_DATA_TEST_CASE(a_pass_that_cannot_be_made,
    boost::unit_test::data::make({EIO, EINVAL, ENOMEM, EPERM}), error)
{
	const victim v(many);
	for (const stack9_side side : sides)
		BOOST_TEST(in_child([&] {
			return refuse_bpf(BPF_ITER_CREATE, error) ?
			    pass_in_spite(side, v) : 97;
		}) == 0);
}

BOOST_AUTO_TEST_CASE(a_program_without_a_buffer, *needs("root") * needs("bpf")
    * boost::unit_test::description(
    "a reader without task storage asks again, and then it is the next "
    "route's turn"))
{
	if (has_no_pass_over_users())
		return;
	const victim v(many);
	BOOST_TEST(in_child([&] {
		inject_of_users(fault::no_buffer);
		return pass_in_spite(STACK9_USER, v);
	}) == 0);
	BOOST_TEST(in_child([&] {
		inject_of_users(fault::no_buffer, 3);
		return pass_in_spite(STACK9_USER, v);
	}) == 91);	// none is left for procfs
	BOOST_TEST(in_child([&] {
		seen unused;
		core::each(STACK9_USER, v.pid(), note, &unused);
		inject_of_users(fault::no_buffer, 3);
		return pass_in_spite(STACK9_USER, v);
	}) == 91);
}

BOOST_AUTO_TEST_SUITE_END()
