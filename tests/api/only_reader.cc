// Tests stack9(3), FILES OF OTHER PROCESSES: the child that reads them is the
// only one.  This process has no other reader.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <csignal>
#include <cstring>

#include <sys/wait.h>
#include <unistd.h>

#include <require.h>
#include <stack9.h>

#include "child.h"
#include "readers.h"

using boost::unit_test::description;

BOOST_AUTO_TEST_CASE(the_only_reader, *needs("ptrace") *
    description("FILES OF OTHER PROCESSES: With STACK9_APART_ONCE in flags "
    "the first child is the only one.  That saves half a millisecond.  Once it "
    "has ended, all that it would be asked fails with EIO."))
{
	const api::child other(api::child_waits);
	other.wait_for_sleep();
	const stack9_thread td = other.thread();
	BOOST_TEST_REQUIRE(stack9_read_apart(STACK9_APART_ONCE) == 0);
	BOOST_TEST(api::has(api::names_of(api::save(td, STACK9_USER)->user),
	    "read"));
	const pid_t reader = api::child_named("stack9-reader");
	BOOST_TEST_REQUIRE(reader > 0);
	BOOST_TEST(api::child_named("stack9-starter") == 0);
	siginfo_t info;
	kill(reader, SIGKILL);
	BOOST_TEST(waitid(P_PID, static_cast<id_t>(reader), &info, WEXITED |
	    WNOWAIT) == 0);
	for (int i = 0; i < 2; i++) {
		stack9_sample *s = nullptr;
		BOOST_TEST(stack9_save(&td, STACK9_USER, nullptr, &s) == EIO);
		const api::sample owned(s);
		BOOST_TEST_REQUIRE(s != nullptr);
		BOOST_TEST(s->user->depth == 0u);
		const std::string why = s->user->reason;
		BOOST_TEST(why.find("was killed by signal 9") != why.npos,
		    why);
	}
	BOOST_TEST(api::child_named("stack9-reader") == 0);
}
