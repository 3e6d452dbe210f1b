// Tests the programs where something is missing around them: /proc, /sys,
// descriptors, memory.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <csignal>

#include <linux/filter.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <mounts.h>
#include <ptrace/forbid.h>
#include <require.h>

#include "child.h"
#include "sleepers.h"

using boost::unit_test::description;

namespace {

// Runs the program with an empty file system at dir.
said
without(const char *dir, std::vector<std::string> command)
{
	return run(command, {.before_exec = [dir] {
		if (!own_mounts() ||
		    mount("none", dir, "tmpfs", 0, nullptr) != 0)
			_exit(77);
	}});
}

said
within(int what, rlim_t limit, std::vector<std::string> command)
{
	return run(command, {.before_exec = [=] {
		const rlimit l{limit, limit};
		close_range(3, ~0U, 0);	// the caller may have some
		if (setrlimit(static_cast<__rlimit_resource_t>(what), &l) != 0)
			_exit(77);
	}});
}

// Returns whether it is EXIT STATUS, 1, of a watch that did not end early:
// there was memory, but an event or its stack did not come whole.  A call of
// the library's that failed is reported by its name.
bool
is_partial(const said &s)
{
	for (const char *const why : {"are not whole",
	    " lost, for they came faster than they were written",
	    " not kept: they came while their CPU was handling four others",
	    " not shown by the kernel: they came while it ran a program of "
	    "the same event"})
		if (has(s.err, why))
			return s.status == 1 && !has(s.err, "stack9_");
	return false;
}

// A refusal is reported.  Without a word there was no event: all CPUs may have
// been away for as long as that.
said
snoop_within(rlim_t kib)
{
	said s;
	for (const char *const seconds : {"0.05", "1", "20"}) {
		s = within(RLIMIT_AS, kib * 1024, {STACKSNOOP, "-q", "-D",
		    seconds, "t:sched_switch"});
		// The loader's own line has "libbpf.so".
		BOOST_TEST(!has(s.err, "libbpf: "), s.err);
		if (s.status != 2 || !s.err.empty())
			break;
	}
	return s;
}

} // namespace

BOOST_AUTO_TEST_SUITE(surroundings)

BOOST_AUTO_TEST_CASE(no_proc, *needs("mounts")
    * description("DIAGNOSTICS: /proc is not mounted here"))
{
	const sleepers some(1);
	const std::string pid = std::to_string(some.pid);
	const char *const said_so = "/proc is not mounted here";
	for (const std::vector<std::string> &command :
	    std::vector<std::vector<std::string>>{{STACKPRINT, pid},
	    {STACKPRINT, "-u", pid}, {STACKPRINT, "-p", pid},
	    {STACKPRINT, "--async=0", pid}, {STACKPRINT, "--stop", pid},
	    {STACKCOUNT, "-D", "0.1", "-p", pid, "cpu-clock"},
	    {STACKCOUNT, "-D", "0.1", "-t", pid, "cpu-clock"},
	    {STACKSNOOP, "-D", "0.1", "-k", "cpu-clock"}}) {
		const said s = without("/proc", command);
		BOOST_TEST(has(s.err, said_so), s.err);
		BOOST_TEST(has(s.err, "mount -t proc proc /proc"), s.err);
		BOOST_TEST(!has(s.out + s.err, "no such "), s.out << s.err);
	}
	const said user = without("/proc", {STACKPRINT, "-u", pid});
	// A user namespace refuses BPF to whoever has all capabilities.  That
	// is the better reason there, and /proc is named all the same.
	BOOST_TEST((has(user.out, std::string("none: ") + said_so) ||
	    has(user.err, "tid " + pid + ": " + said_so) ||
	    (!lack_of("bpf").empty() &&
	    has(user.err, "tid " + pid + ": bpf(2) is refused"))),
	    user.out << user.err);
	BOOST_TEST(!has(run({STACKPRINT, pid}).err, said_so));
}

BOOST_AUTO_TEST_CASE(no_sys, *needs("bpf") * needs("mounts")
    * description("DIAGNOSTICS: no /sys/kernel/btf/vmlinux"))
{
	for (const char *program : {STACKCOUNT, STACKSNOOP}) {
		const said s = without("/sys", {program, "-c", "1",
		    "cpu-clock"});
		BOOST_TEST(s.status == 2);
		BOOST_TEST(has(s.err, "no /sys/kernel/btf/vmlinux"), s.err);
		BOOST_TEST(!has(s.err, "memory"), s.err);
	}
	const std::string check = without("/sys", {STACKPRINT, "--check"}).out;
	BOOST_TEST(has(check, "  bpf-events    not here"), check);
}

BOOST_AUTO_TEST_CASE(few_descriptors, *needs("root")
    * description("DIAGNOSTICS: only N files may be open"))
{
	const sleepers some(1);
	const std::string pid = std::to_string(some.pid);
	for (rlim_t n = 4; n < 12; n++)
		for (const std::vector<std::string> &command :
		    std::vector<std::vector<std::string>>{{STACKPRINT, pid},
		    {STACKPRINT, "-p", pid}}) {
			const said s = within(RLIMIT_NOFILE, n, command);
			BOOST_TEST(has(s.err, "only " + std::to_string(n) +
			    " files may be open (RLIMIT_NOFILE)"), s.err);
			BOOST_TEST(!has(s.out + s.err, "no such "), s.err);
			BOOST_TEST(!has(s.out, "opened or read"), s.out);
			if (has(s.out, "no unwind information"))
				BOOST_TEST(has(s.out, "left out: files that "
				    "could not be opened for want of "
				    "descriptors ("), s.out);
		}
	const said none = within(RLIMIT_NOFILE, 4, {STACKPRINT, "-p", pid});
	BOOST_TEST((has(none.out, "out of file descriptors") ||
	    has(none.err, "Too many open files")), none.out << none.err);
	BOOST_TEST(!has(run({STACKPRINT, pid}).err, "RLIMIT_NOFILE"));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
namespace {

// The C++ library had no memory to say that there is none.
bool
no_exception(const said &s)
{
	return s.status == 128 + SIGABRT &&
	    has(s.err, "terminate called without an active exception");
}

} // namespace

// The size where the ring is the first to find no room depends on the build.
BOOST_AUTO_TEST_CASE(little_memory, *needs("bpf")
    * description("want of memory is told, and no line of libbpf's own is "
    "shown"))
{
	int refused = 0;
	for (rlim_t kib = 10000; kib <= 60000; kib += 2000) {
		const said s = snoop_within(kib);
		constexpr int by_loader = 127;
		if (s.status == by_loader || s.status == 0 || is_partial(s) ||
		    no_exception(s))
			continue;
		refused++;
		BOOST_TEST(s.status <= 2, kib << ": " << s.status);
		BOOST_TEST(has(s.err, "stacksnoop: "), kib);
		BOOST_TEST((has(s.err, "Cannot allocate memory") ||
		    has(s.err, "out of memory")), s.err);
	}
	BOOST_TEST(refused > 0);
}
#endif

BOOST_AUTO_TEST_CASE(a_filter_of_perf_event_open,
    *description("--check: routes: the reason of each that is refused: a "
    "filter of system calls is no setting of the kernel"))
{
	const auto says = [](int error) {
		return run({STACKPRINT, "--check"}, {.before_exec = [error] {
			if (!forbid(SYS_perf_event_open, BPF_JGE, 0, error))
				_exit(77);
		}}).out;
	};
	BOOST_TEST(has(says(EPERM), "  a filter of system calls, as that of a "
	    "container, refuses perf_event_open(2)\n"));
	BOOST_TEST(has(says(EACCES), "  kernel.perf_event_paranoid lets nobody "
	    "sample without CAP_PERFMON\n"));
	BOOST_TEST(has(says(ENOSYS), "  perf_event_open(2) does not exist "
	    "here\n"));
}

BOOST_AUTO_TEST_SUITE_END()
