// Tests the library to preload, on programs that know nothing of it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "crashed.h"
#include "lib/process.h"
#include "lib/programs.h"
#include "lib/scratch.h"
#include "lib/text.h"
#include "require.h"

#define	SAYS(sentence) boost::unit_test::description(sentence)

BOOST_AUTO_TEST_SUITE(preloaded)

namespace {

namespace fs = std::filesystem;
using lib::contents;

std::string
lacks_library()
{
	return fs::exists(LIBRARY) ? "" : "libstack9_crash.so was not built";
}

// report is what was written to standard error.  to: STACK9_CRASH; "": unset.
outcome
run(const std::vector<std::string> &words, const std::string &to = "",
    const std::string &folder = ".")
{
	int report[2], said[2];
	BOOST_REQUIRE(pipe2(report, O_CLOEXEC) == 0);
	BOOST_REQUIRE(pipe2(said, O_CLOEXEC) == 0);
	const pid_t pid = fork();
	if (pid == 0) {
		const rlimit none{0, 0};
		setrlimit(RLIMIT_CORE, &none);
		lib::become(words, -1, said[1], report[1], [&] {
			return chdir(folder.c_str()) == 0 &&
			    setenv("LD_PRELOAD", LIBRARY, 1) == 0 &&
			    (to.empty() ||
			    setenv("STACK9_CRASH", to.c_str(), 1) == 0);
		});
	}
	close(report[1]);
	close(said[1]);
	return end_of({pid, report[0], said[0]});
}

outcome
run(const std::string &mode, const std::string &to = "")
{
	return run({UNAWARE, mode}, to);
}

std::string
named(const std::string &report, const std::string &options)
{
	return lib::output_of(STACKREPORT " " + options + " --crash " + report +
	    " 2>&1");
}

} // namespace

BOOST_AUTO_TEST_CASE(a_program_that_knows_nothing, *needs("library",
    lacks_library) * SAYS("The program writes the report of "
    "stack9_crash_install() when it crashes, and then ends as it would have "
    "without the library: by the same signal, with the same core."))
{
	const outcome o = run("null");
	CHECK(o.killed_by(SIGSEGV), o);
	CHECK(o.report.starts_with("stack9: SIGSEGV (11) in process " +
	    std::to_string(o.pid) + " (unaware), thread "), o);
	CHECK(o.has(": nothing is mapped at 0x10\n"), o);
	CHECK(o.has(" reads_nowhere+0x"), o);
	CHECK(o.report.ends_with("stack9: end of report\n"), o);
	CHECK(run("abort").killed_by(SIGABRT), o);
}

BOOST_AUTO_TEST_CASE(aborts_of_threads_that_block_it, *needs("library",
    lacks_library) * SAYS("A thread that calls abort(3) is reported even if it "
    "blocks SIGABRT."))
{
	for (const char *const mode : {"abort", "blocked"}) {
		const outcome o = run(mode);
		CHECK(o.killed_by(SIGABRT), o);
		CHECK(o.count("stack9: SIGABRT") == 1, o);
		CHECK(o.has(" main+0x"), o);
		CHECK(!o.has("libstack9_crash.so+"), o);
	}
}

BOOST_AUTO_TEST_CASE(overflows_in_every_thread, *needs("library",
    lacks_library) * SAYS("Each thread that the program starts by "
    "pthread_create(3) or thrd_create(3) has an alternate stack, so that the "
    "overflow of its own stack is reported, too."))
{
	for (const char *const mode : {"overflow", "thread", "c11"}) {
		const outcome o = run(mode);
		CHECK(o.killed_by(SIGSEGV), o);
		CHECK(o.count(" overflows+0x") > 100, o);
		CHECK(o.has("frames ..."), o);
		CHECK(!o.has("incomplete"), o);
		CHECK(!o.has("libstack9_crash.so+"), o);
	}
}

BOOST_AUTO_TEST_CASE(stacks_are_given_back, *needs("library", lacks_library) *
    SAYS("The alternate stack is given back when the thread ends."))
{
	const outcome o = run("threads");
	CHECK(o.status == 0, o);
	const std::size_t second = o.said.find('\n') + 1;
	CHECK(o.said.substr(0, second) == o.said.substr(second), o);
}

BOOST_AUTO_TEST_CASE(programs_that_handle_signals, *needs("library",
    lacks_library) * SAYS("It is told that the signal had its default action "
    "before."))
{
	const outcome o = run("recovers");
	CHECK(o.status == 0, o);
	CHECK(o.said == "default\nhandled\nhandled\nhandled\nwent on\n", o);
	CHECK(o.report.empty(), o);
}

BOOST_AUTO_TEST_CASE(programs_that_end_by_default, *needs("library",
    lacks_library) * SAYS("When it gives the signal its default action back, "
    "as most do before they end by it, the report is written."))
{
	const outcome o = run("own");
	CHECK(o.killed_by(SIGSEGV), o);
	CHECK(o.said == "its own\nown handler\n", o);
	CHECK(o.count("stack9: SIGSEGV") == 1, o);
	CHECK(o.has(" main+0x"), o);
}

BOOST_AUTO_TEST_CASE(java, *needs("library", lacks_library) * SAYS("So "
    "programs that live with such signals, as those of Java and Go do, run as "
    "without the library, and each of their own crashes is reported after "
    "their own message."))
{
	if (access("/usr/bin/java", X_OK) != 0)
		return;
	const lib::scratch in;
	const outcome o = run({"/usr/bin/java", "-Xmx64m", LIVES});
	CHECK(o.status == 0, o);
	CHECK(o.said == "caught 20000\noverflown\n", o);
	CHECK(o.report.empty(), o);
	const outcome crashed = run({"/usr/bin/java", "-Xmx64m",
	    "-XX:ErrorFile=" + in.path() + "/hs", LIVES, "crash"});
	CHECK(crashed.killed_by(SIGABRT), crashed);
	CHECK(crashed.has("stack9: SIGABRT"), crashed);
	CHECK(fs::exists(in.path() + "/hs"), crashed);
}

BOOST_AUTO_TEST_CASE(a_directory, *needs("library", lacks_library) * SAYS(
    "A file crash.NAME.PID of its own in this directory, as "
    "/var/crash/crash.nginx.4711."))
{
	const lib::scratch in;
	const outcome o = run("closed", in.path());
	CHECK(o.killed_by(SIGSEGV), o);
	CHECK(o.report.empty(), o);
	const fs::path file = fmt::format("{}/crash.unaware.{}", in.path(),
	    o.pid);
	const std::string report = contents(file);
	BOOST_TEST(report.starts_with("stack9: SIGSEGV"));
	BOOST_TEST(report.ends_with("stack9: end of report\n"));
	BOOST_TEST((fs::status(file).permissions() == (fs::perms::owner_read |
	    fs::perms::owner_write)));
}

BOOST_AUTO_TEST_CASE(a_file, *needs("library", lacks_library) * SAYS("The end "
    "of this file."))
{
	const lib::scratch in;
	std::ofstream(in.path() + "/all") << "before\n";
	for (int i = 0; i < 2; i++)
		CHECK(run({UNAWARE, "null"}, "all", in.path()).report.empty(),
		    in.path());
	const std::string text = contents(in.path() + "/all");
	BOOST_TEST(text.starts_with("before\nstack9: SIGSEGV"));
	BOOST_TEST(text.find("stack9: SIGSEGV", 10) != text.npos);
	// And who reads it names both.
	const std::string both = named(in.path() + "/all", "");
	const std::size_t first = both.find("unaware.c:");
	BOOST_TEST(first != both.npos);
	BOOST_TEST(both.find("unaware.c:", both.find("end of report")) !=
	    both.npos);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_opened, *needs("library", lacks_library) *
    SAYS("If it cannot be opened, the report goes to standard error, with the "
    "reason."))
{
	const outcome o = run("null", "/nowhere/at/all");
	CHECK(o.report.starts_with("stack9: /nowhere/at/all: cannot be opened "
	    "(errno 2)"), o);
	CHECK(o.has("end of report"), o);
	const outcome none = run("null", "none");
	CHECK(none.killed_by(SIGSEGV), none);
	CHECK(none.report.empty(), none);
}

// The program is gone, and a copy under another name is all that is left.
BOOST_AUTO_TEST_CASE(named_later, *needs("library", lacks_library) * SAYS(
    "With --crash each frame gets the function, readable, and the source line, "
    "and inlined calls get lines of their own."))
{
	const lib::scratch in;
	const std::string program = in.path() + "/program";
	fs::create_directory(in.path() + "/debug");
	fs::copy_file(UNAWARE, in.path() + "/debug/other");
	fs::copy_file(UNAWARE, program);
	BOOST_REQUIRE(std::system(("strip " + program).c_str()) == 0);
	const outcome o = run({program, "null"}, in.path() + "/report");
	CHECK(o.killed_by(SIGSEGV), o);
	BOOST_TEST(contents(in.path() + "/report").find("reads_nowhere") ==
	    std::string::npos);
	fs::remove(program);
	const std::string text = named(in.path() + "/report", "--debug-dir " +
	    in.path() + "/debug");
	BOOST_TEST(text.find(" reads_nowhere+0x0 program+0x") != text.npos,
	    text);
	BOOST_TEST(text.find("unaware.c:") != text.npos, text);
	BOOST_TEST(text.find(" main+0x") != text.npos, text);
	BOOST_TEST(text.find("stack9: end of report\n") != text.npos);
	// Without the file the frames stay as they were.
	fs::remove_all(in.path() + "/debug");
	BOOST_TEST(named(in.path() + "/report", "").find("reads_nowhere") ==
	    std::string::npos);
}

BOOST_AUTO_TEST_CASE(stacks_as_text, *SAYS("Put names and lines into what a "
    "program has left, and print it: the report of a crash, as "
    "libstack9_crash(7) and stack9_crash(3) write it, or stacks in the form of "
    "stack9_text(3)."))
{
	const lib::scratch in;
	const started s = start({"wait"});
	char line[16];
	BOOST_REQUIRE(read(s.said, line, sizeof line) > 0);
	lib::wait_for_state(s.pid, 'S');
	BOOST_TEST(std::system(fmt::format("{} write {} >{}/text", OFFLINE,
	    s.pid, in.path()).c_str()) == 0);
	kill(s.pid, SIGKILL);
	end_of(s);
	const std::string text = named(in.path() + "/text", "");
	BOOST_TEST(text.find("crasher.cc:") != text.npos, text);
	BOOST_TEST(text.find("main+0x") != text.npos, text);
	std::ofstream(in.path() + "/none") << "nothing\n";
	BOOST_TEST(named(in.path() + "/none", "").find("neither the report") !=
	    std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
