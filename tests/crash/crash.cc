// Tests what the crash handler reports of crashes of all kinds.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <csignal>
#include <string>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stack9_crash.h>

#include "crashed.h"

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

#ifdef __x86_64__
BOOST_AUTO_TEST_CASE(registers, *boost::unit_test::description(
    "The report has the registers by the names that the processor's manual "
    "gives them"))
{
	const outcome o = crash({"registers"});
	CHECK(o.killed_by(SIGSEGV), o);
	for (const char *const known : {"rax=0x5100", "rcx=0x5101",
	    "rdx=0x5102", "rsi=0x5106", "rdi=0x5107", "r8=0x5108",
	    "r9=0x5109", "r10=0x510a", "r11=0x510b", "r12=0x510c",
	    "r13=0x510d", "r14=0x510e", "r15=0x510f"})
		CHECK(o.has((std::string(" ") + known).c_str()), o);
}
#endif

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
	    kind{"bus", "the mapping has no memory at 0x", SIGBUS},
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
