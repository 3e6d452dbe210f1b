// Tests what the report of a crash has of the other threads.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <csignal>
#include <string>

#include <unistd.h>

#include "crashed.h"
#include "require.h"

BOOST_AUTO_TEST_SUITE(crashes)

BOOST_AUTO_TEST_CASE(threads, *boost::unit_test::description(
    "Each other thread is stopped by ptrace(2) for the moment in which its "
    "stack is copied, asleep or running, and whatever signals it blocks.") *
    needs("ptrace"))
{
	const outcome o = crash({"threads"});
	CHECK(o.killed_by(SIGSEGV), o);
	for (const char *name : {"sleeper", "deaf sleeper"}) {
		const std::string t = o.thread(name);
		CHECK(t.find(", state S") != t.npos, t);
		CHECK(t.find("read+0x") != t.npos, t);
		CHECK(t.find(" sleep_in_read+0x") != t.npos, t);
	}
	for (const char *name : {"runner", "deaf runner"}) {
		const std::string t = o.thread(name);
		CHECK(t.find(" spin+0x") != t.npos, t);
	}
	CHECK(o.thread("deaf runner").find(" spin_blocked+0x") !=
	    std::string::npos, o);
	CHECK(!o.has("unknown"), o);
	CHECK(o.thread("crasher").find(", crashed:") != std::string::npos, o);
}

BOOST_AUTO_TEST_CASE(kernel_sides, *boost::unit_test::description(
    "The kernel side of a sleeping thread is in the report if the process has "
    "CAP_SYS_ADMIN.") * needs("root"))
{
	const std::string t = crash({"threads"}).thread("sleeper");
	if (access("/proc/self/stack", R_OK) == 0)
		CHECK(t.find("    kernel  ") != t.npos, t);
	const outcome o = crash({"threads", "2"});
	CHECK(!o.has("    kernel  "), o);
	const outcome alone = crash({"threads", "1"});
	CHECK(alone.count("\nthread ") == 1, alone);
}

BOOST_AUTO_TEST_CASE(untraced, *boost::unit_test::description(
    "Where ptrace(2) is not permitted, by a filter of system calls, by "
    "kernel.yama.ptrace_scope 2 or 3, or because a debugger has the program, "
    "the report has the stacks of sleeping threads only."))
{
	for (const char *mode : {"untraced", "alone"}) {
		const outcome o = crash({mode});
		CHECK(o.killed_by(SIGSEGV), o);
		CHECK(o.has(" read_through+0x"), o);
		for (const char *name : {"sleeper", "deaf sleeper"}) {
			const std::string t = o.thread(name);
			CHECK(t.find(" sleep_in_read+0x") != t.npos, t);
		}
		for (const char *name : {"runner", "deaf runner"}) {
			const std::string t = o.thread(name);
			CHECK(t.find("ptrace(2) is not permitted") != t.npos,
			    t);
		}
		CHECK(o.report.ends_with("stack9: end of report\n"), o);
	}
}

BOOST_AUTO_TEST_CASE(two_at_once, *boost::unit_test::description(
    "A thread that crashes while another one's crash is reported waits for the "
    "end of the report."))
{
	for (int i = 0; i < 10; i++) {
		const outcome o = crash({"both", "6"});
		CHECK(o.killed_by(SIGSEGV), o);
		CHECK(o.count("stack9: SIGSEGV") == 1, o);
		CHECK(o.report.ends_with("stack9: end of report\n"), o);
	}
}

BOOST_AUTO_TEST_SUITE_END()
