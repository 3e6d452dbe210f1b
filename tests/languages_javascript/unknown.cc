// Captures a program that pretends to have a V8 that nobody knows.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <csignal>
#include <string>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include <stack9.h>

#include "require.h"

#define	SAYS(sentence) boost::unit_test::description(sentence)

BOOST_AUTO_TEST_CASE(an_unknown_version_is_said, *needs("bpf") *
    SAYS("LANGUAGES: a version whose layout is not known is said, and the "
    "native stack stays whole"))
{
	int in[2], out[2];
	char c = 0;
	BOOST_REQUIRE(pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0);
	const pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(in[0], 0);
		dup2(out[1], 1);
		execl(PRETENDED, PRETENDED, nullptr);
		_exit(127);
	}
	close(out[1]);
	BOOST_REQUIRE(read(out[0], &c, 1) == 1);
	stack9_save_options o{};
	o.size = sizeof o;
	o.flags = STACK9_SAVE_LANGUAGES;
	const stack9_thread td{pid, 0, 0};
	stack9_sample *s = nullptr;
	BOOST_TEST(stack9_save(&td, STACK9_USER, &o, &s) == 0);
	BOOST_REQUIRE(s != nullptr);
	BOOST_TEST(s->user->written_count == 0u);
	BOOST_TEST(s->user->depth > 1u);
	BOOST_REQUIRE(s->user->written_note != nullptr);
	BOOST_TEST(std::string(s->user->written_note) ==
	    "javascript: V8 99.1: its layout is not known");
	stack9_sample_close(s);
	kill(pid, SIGKILL);
	waitpid(pid, nullptr, 0);
	close(in[0]);
	close(in[1]);
	close(out[0]);
}
