// Crashes of all kinds, and what the handler reports of them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stack9_crash.h>

#include "require.h"

namespace {

struct outcome {
	std::string	report, said;
	int		status = -1;
	double		seconds = 0;
	pid_t		pid = 0;

	bool
	has(const char *what) const
	{
		return report.find(what) != report.npos;
	}
	int
	count(const char *what) const
	{
		int n = 0;
		for (std::size_t at = 0; (at = report.find(what, at)) !=
		    report.npos; at++)
			n++;
		return n;
	}
	// The lines of the thread of that name.
	std::string
	thread(const std::string &name) const
	{
		const std::size_t at = report.find("(" + name + ")", 1 +
		    report.find('\n'));
		const std::size_t begin = report.rfind('\n', at) + 1;
		const std::size_t end = report.find("\nthread ", at);
		return at == report.npos ? "" : report.substr(begin,
		    end == report.npos ? end : end - begin);
	}
	bool
	killed_by(int signo) const
	{
		return WIFSIGNALED(status) && WTERMSIG(status) == signo;
	}
};

std::ostream &
operator<<(std::ostream &to, const outcome &o)
{
	return to << "status " << o.status << "\n" << o.said << o.report;
}

std::string
read_all(int fd)
{
	std::string all;
	char some[4096];
	ssize_t n;
	while ((n = read(fd, some, sizeof some)) > 0)
		all.append(some, static_cast<std::size_t>(n));
	close(fd);
	return all;
}

struct started {
	pid_t	pid;
	int	report, said;
};

started
start(const std::vector<std::string> &arguments, bool small = false)
{
	int report[2], said[2];
	BOOST_REQUIRE(pipe2(report, O_CLOEXEC) == 0);
	BOOST_REQUIRE(pipe2(said, O_CLOEXEC) == 0);
	if (small)
		fcntl(report[0], F_SETPIPE_SZ, 4096);
	std::vector<char *> argv;
	std::string program = CRASHER;
	argv.push_back(program.data());
	std::vector<std::string> copies = arguments;
	for (std::string &a : copies)
		argv.push_back(a.data());
	argv.push_back(nullptr);
	const pid_t pid = fork();
	if (pid == 0) {
		dup2(report[1], STDOUT_FILENO);
		dup2(said[1], STDERR_FILENO);
		if (chdir(TEST_DIR) != 0)
			_exit(9);
		execv(argv[0], argv.data());
		_exit(9);
	}
	close(report[1]);
	close(said[1]);
	return {pid, report[0], said[0]};
}

outcome
end_of(const started &s)
{
	using clock = std::chrono::steady_clock;
	const auto before = clock::now();
	outcome o;
	o.pid = s.pid;
	o.report = read_all(s.report);
	o.said = read_all(s.said);
	waitpid(s.pid, &o.status, 0);
	o.seconds = std::chrono::duration<double>(clock::now() -
	    before).count();
	return o;
}

outcome
crash(const std::vector<std::string> &arguments)
{
	return end_of(start(arguments));
}

#define	CHECK(condition, o)						\
	BOOST_CHECK_MESSAGE(condition, #condition << "\n" << o)

} // namespace

BOOST_AUTO_TEST_SUITE(crashes)

BOOST_AUTO_TEST_CASE(null_pointer, *boost::unit_test::description(
    "The report has the signal, the address and the registers, the stack of "
    "the thread that crashed, the stacks of all other threads, and the files "
    "that the process has code of, with their build-ids."))
{
	const outcome o = crash({"null"});
	CHECK(o.killed_by(SIGSEGV), o);
	CHECK(o.report.starts_with("stack9: SIGSEGV (11) in process " +
	    std::to_string(o.pid) + " (crasher), thread " +
	    std::to_string(o.pid) + " (crasher): nothing is mapped at 0x0\n"),
	    o);
	const std::size_t inner = o.report.find(" read_through+0x");
	const std::size_t outer = o.report.find(" main+0x");
	CHECK(inner != o.report.npos, o);
	CHECK(outer != o.report.npos && inner < outer, o);
	CHECK(o.has("crasher+0x"), o);
	CHECK(o.has("registers"), o);
	CHECK(o.report.ends_with("stack9: end of report\n"), o);
	CHECK(!o.has("given up"), o);
	// Each module of the table has its line, and most have build-ids.
	CHECK(o.has("/libc.so.6\n"), o);
	CHECK(o.has("/crasher\n"), o);
	CHECK(!o.has(" - /"), o);
}

BOOST_AUTO_TEST_CASE(kinds, *boost::unit_test::description(
    "Then the signal has the effect that it would have had without the "
    "handler."))
{
	struct kind {
		const char	*mode, *text;
		int		signo;
	};
	for (const kind k : {
	    kind{"abort", "SIGABRT", SIGABRT},
	    kind{"throw", "SIGABRT", SIGABRT},
	    kind{"divide", "SIGFPE", SIGFPE},
	    kind{"bus", "no memory behind the mapping at 0x", SIGBUS},
	    kind{"raise", "sent by process", SIGBUS},
	    kind{"jump", "nothing is mapped at 0x0", SIGSEGV},
	}) {
		const outcome o = crash({k.mode, "6"});
		CHECK(o.killed_by(k.signo), o);
		CHECK(o.has(k.text), o);
		CHECK(o.has(" main+0x"), o);
		CHECK(!o.has("modules"), o);
	}
}

BOOST_AUTO_TEST_CASE(core, *boost::unit_test::description(
    "A core is written as without the handler."))
{
	rlimit before, none{1 << 26, 1 << 26};
	getrlimit(RLIMIT_CORE, &before);
	none.rlim_max = before.rlim_max;
	if (before.rlim_max < none.rlim_cur) {
		BOOST_TEST_MESSAGE("skipped: RLIMIT_CORE");
		return;
	}
	setrlimit(RLIMIT_CORE, &none);
	const outcome with = crash({"null", "7"});
	const outcome without = crash({"removed"});
	setrlimit(RLIMIT_CORE, &before);
	CHECK(without.killed_by(SIGSEGV), without);
	CHECK(without.report.empty(), without);
	CHECK(with.killed_by(SIGSEGV), with);
	CHECK(WCOREDUMP(with.status) == WCOREDUMP(without.status), with);
	unlink((std::string(TEST_DIR) + "core").c_str());
	for (const pid_t pid : {with.pid, without.pid})
		unlink((std::string(TEST_DIR) + "core." + std::to_string(
		    pid)).c_str());
}

BOOST_AUTO_TEST_CASE(stack_overflow, *boost::unit_test::description(
    "The handler runs on the alternate stack that stack9_crash_install gives "
    "the calling thread, and stack9_crash_thread any other."))
{
	for (const char *mode : {"overflow", "overflow-thread"}) {
		const outcome o = crash({mode});
		CHECK(o.killed_by(SIGSEGV), o);
		CHECK(o.count(" recurse+0x") > 120, o);
		CHECK(o.has(" frames ..."), o);
		CHECK(o.has(mode == std::string("overflow") ? " main+0x" :
		    " overflow+0x"), o);
	}
}

BOOST_AUTO_TEST_CASE(broken_heap, *boost::unit_test::description(
    "It uses neither the heap nor a lock, so a broken heap and a loader's lock "
    "that is held do not disturb it."))
{
	const outcome o = crash({"heap"});
	CHECK(o.killed_by(SIGABRT), o);
	CHECK(o.has("SIGABRT"), o);
	CHECK(o.has(" abort+0x"), o);
	CHECK(o.has("broken_heap"), o);
	CHECK(o.report.ends_with("stack9: end of report\n"), o);
}

BOOST_AUTO_TEST_CASE(loader, *boost::unit_test::description(
    "It uses neither the heap nor a lock, so a broken heap and a loader's lock "
    "that is held do not disturb it."))
{
	const outcome o = crash({"loader", "0", CRASHING_PLUGIN});
	CHECK(o.killed_by(SIGSEGV), o);
	CHECK(o.has(" crash_while_loading+0x"), o);
	CHECK(o.has("dlopen"), o);
	CHECK(o.has(" main+0x"), o);
	CHECK(o.has("/crash_plugin.so\n"), o);
}

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

BOOST_AUTO_TEST_CASE(second_crash, *boost::unit_test::description(
    "A part of the report that crashes itself is given up, and the next part "
    "follows."))
{
	const outcome o = crash({"names", "0", PLUGIN});
	CHECK(o.killed_by(SIGSEGV), o);
	CHECK(o.has(" read_through+0x"), o);
	CHECK(o.has("this part of the report was given up\n"), o);
	CHECK(o.has("modules"), o);
	CHECK(o.report.ends_with("stack9: end of report\n"), o);
}

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

BOOST_AUTO_TEST_CASE(arguments, *boost::unit_test::description(
    "EINVAL: a flag is not known.  EBADF: fd is not open for writing."))
{
	BOOST_TEST(stack9_crash_install(STDERR_FILENO, 0x80) == EINVAL);
	BOOST_TEST(stack9_crash_install(-1, 0) == EBADF);
	const int fd = open("/dev/null", O_RDONLY);
	BOOST_TEST(stack9_crash_install(fd, 0) == EBADF);
	close(fd);
}

BOOST_AUTO_TEST_SUITE_END()
