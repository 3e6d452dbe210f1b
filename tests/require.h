// Skips a test that needs what the machine lacks, and prints the reason.  If
// STACK9_REQUIRE (a comma-separated list) names the need, the test runs all the
// same, and so fails.
//
//	BOOST_AUTO_TEST_CASE(x, *needs("bpf"))
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <string>

#include <boost/test/unit_test.hpp>

// what: "bpf" (CAP_BPF and CAP_PERFMON, or root, and bpf(2) answers),
// "ptrace" (may trace its children), "root" (uid 0 of all users, who may become
// another one and mount), "mounts" (mounts that no other process sees),
// "terminal" (a pseudo-terminal can be made: a chroot may have none), "tmux",
// "ia32" (the kernel runs 32-bit programs), "malloc(3) after fork(2)" (by a
// process of several threads).
boost::unit_test::decorator::precondition needs(const char *what);
// The same of anything.  lack: "", or what is lacking, given as the reason for
// a skip.
boost::unit_test::decorator::precondition needs(const char *what,
    std::function<std::string()> lack);

// "", or why a test that needs it is skipped.
std::string lack_of(const std::string &what);

// True if the kernel runs 32-bit programs of x86.
bool runs_ia32();

// True if the kernel is a real-time one.  /sys/kernel/realtime was a file of
// the patches that made one before 6.12.
bool is_real_time();
// "", or why no code can be confirmed with interrupts disabled, so that stacks
// are copied there.
std::string no_walks_in_interrupts();

// True if STACK9_LONG asks for everything, as `make check-all` does.  Without
// it a test may repeat less, and may leave out what another program shows too.
bool long_run();

// True in a guest of tests/kernels/run, whose CPUs are emulated and whose
// settings may be changed.
bool in_guest();

// Answers how often a test repeats: all in a long run.
inline int
rounds(int all, int otherwise)
{
	return long_run() ? all : otherwise;
}
