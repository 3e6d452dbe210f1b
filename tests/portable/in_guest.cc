// Tests the one static file under another kernel, in a guest of tests/kernels.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <boost/test/unit_test.hpp>
#include <sys/wait.h>

namespace {

struct outcome {
	std::string	text;
	int		status;
};

outcome
sh(const std::string &command)
{
	outcome o{"", -1};
	FILE *const from = popen(command.c_str(), "r");
	if (from == nullptr)
		return o;
	std::array<char, 4096> part;
	while (const std::size_t n = fread(part.data(), 1, part.size(), from))
		o.text.append(part.data(), n);
	const int status = pclose(from);
	o.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	return o;
}

// $victim is the pid of a program that waits until the command is over.
outcome
with_victim(const std::string &program, const std::string &command)
{
	return sh("cd /tmp; rm -rf in out record; mkfifo in out; "
	    "sleep 1000 > in & holder=$!; " +
	    program + " spin < in > out & victim=$!; read line < out; { " +
	    command + "; } 2>&1; status=$?; kill $victim $holder; "
	    "exit $status");
}

bool
has(const outcome &o, const char *word)
{
	return o.text.find(word) != o.text.npos;
}

const std::string stack9 = STACK9_PORTABLE_FILE;

const std::string glibc = STACK9_PORTABLE_VICTIMS "/glibc-static";

// Linux before 5.18 does not report the registers of a sleeping thread.
// Without them nothing proves where a thread of musl begins: its code has no
// unwind information.
void
prints_all_of(const std::string &program, bool whole)
{
	const outcome o = with_victim(program, stack9 +
	    " print -p $victim");
	BOOST_TEST_CONTEXT(o.text) {
		BOOST_TEST(o.status <= 1);	// it has no kernel stack
		if (whole)
			BOOST_TEST(has(o, " 0 partial"));
		for (const char *name : {"do_syscall_64", "inner_waits+",
		    "outer_waits+", "main+", "naps+", "spins+",
		    " 0 failed, 0 refused, 0 gone"})
			BOOST_TEST(has(o, name), name);
	}
}

} // namespace

BOOST_AUTO_TEST_CASE(says_what_the_kernel_lacks)
{
	const outcome o = sh(stack9 + " print --check");
	BOOST_TEST_CONTEXT(o.text) {
		BOOST_TEST(o.status == 0);
		BOOST_TEST(has(o, " not here  "));
		BOOST_TEST(has(o, "iter          ok"));
	}
}

BOOST_AUTO_TEST_CASE(prints_a_program_of_glibc)
{
	prints_all_of(glibc, true);
}

BOOST_AUTO_TEST_CASE(prints_a_program_of_musl)
{
	prints_all_of(STACK9_PORTABLE_VICTIMS "/musl-static", false);
}

BOOST_AUTO_TEST_CASE(says_that_it_stops_a_running_thread)
{
	const outcome o = with_victim(glibc, stack9 + " print -p $victim");
	BOOST_TEST_CONTEXT(o.text) {
		BOOST_TEST(has(o, "naps+"));
		BOOST_TEST(has(o, "spins+"));
		BOOST_TEST(has(o, "complete, stopped for the copy"));
	}
}

BOOST_AUTO_TEST_CASE(counts_by_frame_pointers)
{
	const outcome o = with_victim(glibc, stack9 +
	    " count -q -D 2 -p $victim cpu-clock:49");
	BOOST_TEST_CONTEXT(o.text) {
		BOOST_TEST(has(o, "turns_on"));
		BOOST_TEST(has(o, "as by --fp: the kernel lacks"));
	}
}

BOOST_AUTO_TEST_CASE(records_and_reports)
{
	const outcome o = with_victim(glibc, stack9 +
	    " record -q -D 2 -p $victim --record record && " + stack9 +
	    " report record");
	BOOST_TEST_CONTEXT(o.text) {
		BOOST_TEST(has(o, "inner_waits"));
		BOOST_TEST(has(o, "(Linux 5.15)"));
	}
}
