// Tests whose user stacks an ordinary user may see.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <csignal>
#include <fstream>

#include <grp.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pass.h"
#include "require.h"

BOOST_AUTO_TEST_SUITE(rights)

namespace {

constexpr uid_t nobody = 65534;

void
become_nobody()
{
	if (setgroups(0, nullptr) != 0 || setgid(nobody) != 0 ||
	    setuid(nobody) != 0)
		_exit(90);
	// setuid(2) takes that away, as from a program that was root.
	prctl(PR_SET_DUMPABLE, 1);
}

// Returns the result of body as nobody, or a number from 90 on.
int
as_nobody(const std::function<int()> &body)
{
	return in_child([&] {
		become_nobody();
		return body();
	});
}

// Yama may keep children to their ancestors, or from everybody.
bool
may_trace_children()
{
	std::ifstream f("/proc/sys/kernel/yama/ptrace_scope");
	int scope = 0;
	return !(f >> scope) || scope < 2;
}

pid_t
tracer_of(pid_t pid)
{
	std::ifstream f("/proc/" + std::to_string(pid) + "/status");
	pid_t tracer = -1;
	for (std::string word; f >> word;)
		if (word == "TracerPid:")
			f >> tracer;
	return tracer;
}

// The errno of a capture by those routes; 91: and no reason with it, 92:
// frames although it failed, or none although it did not.
int
error_by(const std::string &routes, pid_t pid, stack9_why why)
{
	if (!routes.empty() && stack9_force(routes.c_str()) != 0)
		return 93;
	capture c;
	const int error = c.save(stack9_thread{pid, pid, 0}, STACK9_USER);
	if ((error == 0) != (c.rec.depth > 0))
		return 92;
	if (error != 0 && (c.rec.why != why || c.rec.reason == nullptr ||
	    *c.rec.reason == '\0'))
		return 91;
	return error;
}

} // namespace

BOOST_AUTO_TEST_CASE(of_the_same_user, *needs("root")
    * boost::unit_test::description(
    "without capabilities: threads of the same user, by /proc or by a stop"))
{
	if (!may_trace_children())
		return;
	BOOST_TEST(as_nobody([] {
		const child target;
		return error_by("", target.pid(), STACK9_WHY_NONE);
	}) == 0);
	for (const char *job : {one_job, many_job})
		for (const std::string &route : routes_of(job)) {
			if (!route.starts_with("procfs") &&
			    !route.starts_with("ptrace"))
				continue;
			BOOST_TEST(as_nobody([&] {
				const child target;
				if (job == one_job)
					return error_by(route, target.pid(),
					    STACK9_WHY_NONE);
				const forced only(route);
				const pass p(STACK9_USER, target.pid());
				return p.error != 0 ? p.error :
				    p.all.size() != 1 ? 94 :
				    p.all[0].rec.error;
			}) == 0, route);
		}
}

BOOST_AUTO_TEST_CASE(bpf_refuses_with_its_reason, *needs("root") * needs("bpf")
    * boost::unit_test::description("EPERM: see reason"))
{
	for (const std::string &route : no_stop_routes(one_job))
		if (!route.starts_with("procfs"))
			BOOST_TEST(as_nobody([&] {
				const child target;
				return error_by(route, target.pid(),
				    STACK9_WHY_RIGHTS);
			}) == EPERM, route);
}

BOOST_AUTO_TEST_CASE(of_another_user, *needs("root")
    * boost::unit_test::description("EPERM: needs privilege"))
{
	const victim roots({doing::read, doing::poll});
	BOOST_TEST(as_nobody([&] {
		return error_by("", roots.pid(), STACK9_WHY_RIGHTS);
	}) == EPERM);
	for (const std::string &route : routes_of(one_job))
		BOOST_TEST(as_nobody([&] {
			return error_by(route, roots.pid(), STACK9_WHY_RIGHTS);
		}) == EPERM, route);
	BOOST_TEST(as_nobody([&] {
		const pass p(STACK9_USER, roots.pid());
		for (const kept &k : p.all)
			if (k.rec.error != EPERM || k.rec.depth != 0)
				return 94;
		return p.all.empty() ? p.error : EPERM;
	}) == EPERM);
}

BOOST_AUTO_TEST_CASE(of_one_that_is_not_dumpable, *needs("root")
    * boost::unit_test::description(
    "PR_SET_DUMPABLE 0: the same user EPERM, root 0"))
{
	BOOST_TEST(as_nobody([&] {
		const child target([] { prctl(PR_SET_DUMPABLE, 0); });
		return error_by("", target.pid(), STACK9_WHY_RIGHTS);
	}) == EPERM);
	const child target([] {
		become_nobody();
		prctl(PR_SET_DUMPABLE, 0);
	});
	BOOST_TEST(error_by("", target.pid(), STACK9_WHY_NONE) == 0);
}

BOOST_AUTO_TEST_CASE(of_one_that_is_traced, *needs("ptrace")
    * boost::unit_test::description(
    "EBUSY: the thread could only be traced, and another process traces it"))
{
	const child target;
	const child tracer([&] {
		if (ptrace(PTRACE_SEIZE, target.pid(), nullptr, nullptr) != 0)
			_exit(1);
	});
	for (const std::string &route : stopping_routes(one_job)) {
		const forced only(route);
		capture c;
		BOOST_TEST(c.save(stack9_thread{target.pid(), target.pid(), 0},
		    STACK9_USER) == EBUSY);
		BOOST_TEST(c.rec.why == STACK9_WHY_TRACED);
		BOOST_TEST(c.rec.tracer == tracer.pid());
		BOOST_TEST(c.rec.depth == 0u);
	}
	for (const std::string &route : stopping_routes(many_job)) {
		const forced only(route);
		const pass p(STACK9_USER, target.pid());
		BOOST_REQUIRE(p.all.size() == 1u);
		BOOST_TEST(p.all[0].rec.error == EBUSY);
		BOOST_TEST(p.all[0].rec.why == STACK9_WHY_TRACED);
		BOOST_TEST(p.all[0].rec.tracer == tracer.pid());
	}
}

BOOST_AUTO_TEST_CASE(a_tracer_is_in_nobodys_way, *needs("root") * needs("bpf")
    * boost::unit_test::description(
    "without a stop a traced thread is looked at as any other"))
{
	const child target;
	const child tracer([&] {
		if (ptrace(PTRACE_SEIZE, target.pid(), nullptr, nullptr) != 0)
			_exit(1);
	});
	BOOST_REQUIRE(tracer_of(target.pid()) == tracer.pid());
	for (const std::string &route : no_stop_routes(one_job)) {
		const forced only(and_no_stop(route));
		capture c;
		BOOST_TEST(c.save(stack9_thread{target.pid(), target.pid(), 0},
		    STACK9_USER) == 0, route << ": " <<
		    stack9_why_text(c.rec.why));
	}
	const forced only(and_no_stop(""));
	capture c;
	BOOST_TEST(c.save(stack9_thread{target.pid(), target.pid(), 0},
	    STACK9_USER) == 0);
	BOOST_TEST(c.rec.why == STACK9_WHY_NONE);
}

BOOST_AUTO_TEST_SUITE_END()
