// Tests the effect that a signal has once its crash has been reported.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <csignal>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "crashed.h"

BOOST_AUTO_TEST_SUITE(crashes)

BOOST_AUTO_TEST_CASE(chained, *boost::unit_test::description(
    "A handler that the program had installed before gets the signal after the "
    "report, with the flags and the mask that the program gave it."))
{
	for (const bool onstack : {false, true}) {
		std::vector<std::string> a{"recover", "7", "-"};
		if (onstack)
			a.push_back("onstack");
		const outcome o = crash(a);
		CHECK(o.status == 0, o);
		const std::string line = std::string("previous handler: 11 "
		    "address 16 ") + (onstack ? "alternate" : "own") +
		    " masked\nrecovered\n";
		CHECK(o.said == "installed\n" + line + line, o);
		// Only the first crash is reported.
		CHECK(o.count("stack9: SIGSEGV") == 1, o);
	}
}

BOOST_AUTO_TEST_CASE(ignored, *boost::unit_test::description(
    "A signal that the program ignores stays ignored when it is sent."))
{
	const outcome o = crash({"ignored"});
	CHECK(o.status == 0, o);
	CHECK(o.said == "installed\nwent on\n", o);
	CHECK(o.report.empty(), o);
}

BOOST_AUTO_TEST_CASE(child, *boost::unit_test::description(
    "A child of fork(2) has the handler, too, and reports its own crash."))
{
	const outcome o = crash({"child"});
	CHECK(o.status == 0, o);
	CHECK(o.said == "installed\nchild: SIGSEGV\n", o);
	CHECK(o.count("stack9: SIGSEGV") == 1, o);
	CHECK(!o.has(("in process " + std::to_string(o.pid)).c_str()), o);
	CHECK(o.has(" read_through+0x"), o);
}

BOOST_AUTO_TEST_CASE(sent, *boost::unit_test::description(
    "Then the signal has the effect that it would have had without the "
    "handler."))
{
	const started s = start({"wait", "6"});
	char line[16];
	BOOST_REQUIRE(read(s.said, line, sizeof line) == 10);
	kill(s.pid, SIGSEGV);
	const outcome o = end_of(s);
	CHECK(o.killed_by(SIGSEGV), o);
	CHECK(o.has(("sent by process " + std::to_string(getpid())).c_str()),
	    o);
	CHECK(o.has(" main+0x"), o);
}

BOOST_AUTO_TEST_CASE(nobody_reads, *boost::unit_test::description(
    "The report ends after ten seconds and a little more, although nobody "
    "reads it or the machine is busy; then the signal takes its effect."))
{
	using clock = std::chrono::steady_clock;
	const started s = start({"threads"}, true);
	const auto before = clock::now();
	int status = 0;
	waitpid(s.pid, &status, 0);
	const std::chrono::duration<double> took = clock::now() - before;
	BOOST_TEST(WIFSIGNALED(status));
	BOOST_TEST(WTERMSIG(status) == SIGSEGV);
	BOOST_TEST(took.count() > 1);
	BOOST_TEST(took.count() < 20);
	close(s.report);
	close(s.said);
}

BOOST_AUTO_TEST_SUITE_END()
