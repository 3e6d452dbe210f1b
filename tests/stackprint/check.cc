// Tests stackprint(1), --check.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include "child.h"
#include "require.h"

using boost::unit_test::description;

BOOST_AUTO_TEST_SUITE(check)

BOOST_AUTO_TEST_CASE(routes_job_by_job,
    *description("--check: Job by job, the routes are listed in the order in "
    "which they are tried."))
{
	const said s = stackprint({"--check"}, "half");
	BOOST_TEST(has(s.out, "kernel stack\n"
	    "  syscall    not here  no bpf_task_from_pid\n"
	    "  iter-tid   ok        an iterator\n"
	    "kernel stack of a running thread\n"
	    "  ipi        refused   an interrupt\n"
	    "asynchronous captures\n"
	    "  task-work  ok        by the threads\n"
	    "  retry      ok        tried again\n"
	    "settings\n"));
}

BOOST_AUTO_TEST_CASE(settings,
    *description("--check: Then come the capabilities and the kernel's "
    "settings that decide it."))
{
	const said s = stackprint({"--check"});
	for (const char *what : {"capabilities held", "capabilities missing",
		 "kernel.kptr_restrict", "kernel.perf_event_paranoid",
		 "kernel.perf_event_max_stack",
		 "kernel.unprivileged_bpf_disabled", "lockdown",
		 "/sys/kernel/btf/vmlinux", "pid namespace", "rights"})
		BOOST_TEST(has(s.out, std::string("\n  ") + what), what);
}

// Without BPF that is what would help first.
BOOST_AUTO_TEST_CASE(who_gives_asynchronous_captures,
    *needs("bpf") * description("--check: what would help: Linux 6.18, where "
    "--async has to do without task work"))
{
	const said s = stackprint({"--check"}, "no-task-work");
	BOOST_TEST(has(s.out, "  task-work  not here  needs task work\n"
	    "  retry      ok        tried again\n"));
	BOOST_TEST(has(s.out, "what would help\n  Linux 6.18, for --async"));
	BOOST_TEST(s.status == 0);
	BOOST_TEST(!has(stackprint({"--check"}).out, "--async"));
}

BOOST_AUTO_TEST_CASE(its_status,
    *description("EXIT STATUS: with --check: 0: every job can be done; 1: "
    "some; 2: none"))
{
	BOOST_TEST(stackprint({"--check"}).status == 0);
	BOOST_TEST(stackprint({"--check"}, "half").status == 1);
	BOOST_TEST(stackprint({"--check"}, "no-jobs").status == 2);
	BOOST_TEST(stackprint({"--check"}, "no-rights").status == 2);
}

BOOST_AUTO_TEST_CASE(a_forced_route_is_reported,
    *description("ENVIRONMENT: STACK9_ROUTE; --check says that it is set"))
{
	const said s = run({STACKPRINT_FAKE, "--check"},
	    {.environment = {"STACK9_ROUTE=ipi"}});
	BOOST_TEST(has(s.out, "unset STACK9_ROUTE"));
	BOOST_TEST(!has(stackprint({"--check"}).out, "STACK9_ROUTE"));
}

BOOST_AUTO_TEST_SUITE_END()
