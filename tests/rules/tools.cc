// Tests the event trigger of stackcount and stacksnoop, by programs that cannot
// include <stack9/stack9.bpf.h>.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "lending.h"

#include <bpf/bpf.h>
#include <sys/mount.h>
#include <unistd.h>

#include "lib/programs.h"
#include "lib/scratch.h"
#include "mounts.h"
#include "running.h"

BOOST_AUTO_TEST_SUITE(rules_tools)

namespace {

using boost::unit_test::description;

constexpr std::uint64_t cookie = 0xfedcba9876543210;

std::size_t
number_of(const std::string &word, const std::string &in)
{
	std::size_t n = 0;
	for (std::size_t at = in.find(word); at != in.npos;
	    at = in.find(word, at + 1))
		n++;
	return n;
}

// Runs a program that makes so many calls, and a tool that is to report them.
std::string
told(caller &c, const std::vector<std::string> &command, int times)
{
	running tool(command);
	BOOST_REQUIRE(tool.says("Ctrl-C ends"));
	BOOST_REQUIRE_EQUAL(c.load(), 0);
	c.attach();
	staged p("deep_lean", {"3", std::to_string(times)});
	c.ask(p.pid(), cookie);
	p.go();
	p.truth();
	tool.interrupt();
	const int status = tool.end();
	const bool any = number_of("deep_lean", tool.out) != 0;
	BOOST_TEST(status == (any ? 0 : 2));
	return tool.out;
}

} // namespace

BOOST_AUTO_TEST_CASE(what_programs_print, *needs("bpf") * lends()
    * description("A program that prints the word stack9, a blank and up to 16 "
    "hexadecimal digits by bpf_trace_printk() asks for a sample with this "
    "cookie."))
{
	caller c("prints", nullptr);
	const std::string out = told(c, {STACKSNOOP, "trigger"}, 20);
	BOOST_TEST(number_of("trigger  0xfedcba9876543210\n", out) == 20u);
	BOOST_TEST(number_of("    descend  [deep_lean]\n", out) == 4 * 20u);
	BOOST_TEST(number_of("    main  [deep_lean]\n", out) == 20u);
	caller other("prints_else", nullptr);
	BOOST_TEST(number_of("deep_lean", told(other, {STACKSNOOP, "trigger"},
	    20)) == 0u);
}

BOOST_AUTO_TEST_CASE(triggers_are_counted, *needs("bpf") * lends()
    * description("stackcount counts the stacks of triggers."))
{
	caller c("prints", nullptr);
	const std::string out = told(c, {STACKCOUNT, "--user", "trigger"}, 50);
	BOOST_TEST(number_of("    50\n", out) == 1u);
	BOOST_TEST(number_of("  main  [deep_lean]\n", out) == 1u);
}

BOOST_AUTO_TEST_CASE(bare_tail_calls, *needs("bpf") * needs("mounts") * lends()
    * description("A bare tail call through a pinned array asks for a sample "
    "with the cookie that the thread's element of stack9_cookies_1 has."))
{
	const lib::scratch dir;
	BOOST_REQUIRE(own_mounts());
	BOOST_REQUIRE_EQUAL(mount("bpf", dir.path().c_str(), "bpf", 0,
	    nullptr), 0);
	running tool({STACKSNOOP, "--json", "trigger:" + dir.path()});
	BOOST_REQUIRE(tool.says("Ctrl-C ends"));
	caller c("bare", nullptr);
	for (const char *const name : {"stack9_raw_tp_1", "stack9_cookies_1"}) {
		const int fd = bpf_obj_get((dir.path() + "/" + name).c_str());
		BOOST_REQUIRE(fd >= 0);
		BOOST_REQUIRE(bpf_map__reuse_fd(c.map(name), fd) == 0);
		close(fd);
	}
	BOOST_REQUIRE_EQUAL(c.load(), 0);
	c.attach();
	staged p("deep_lean", {"3", "20"});
	c.ask(p.pid(), cookie);
	p.go();
	p.truth();
	tool.interrupt();
	BOOST_TEST(tool.end() == 0);
	BOOST_TEST(number_of("\"cookie\":" + std::to_string(cookie),
	    tool.out) == 20u);
	BOOST_TEST(number_of("\"name\":\"descend\"", tool.out) == 4 * 20u);
	umount(dir.path().c_str());
}

BOOST_AUTO_TEST_CASE(no_such_directory, *needs("bpf") * lends()
    * description("The directory has to be of a file system bpf"))
{
	for (const char *const event : {"trigger:/nowhere", "trigger:relative",
	    "trigger:/tmp", "trigger,cpu-clock"}) {
		running tool({STACKCOUNT, event});
		BOOST_TEST(tool.end() != 0);
		BOOST_TEST(tool.err.find("trigger") != tool.err.npos);
	}
}

// bpftrace 0.17 has no call but this by which another program sees it.
BOOST_AUTO_TEST_CASE(signals_of_bpftrace, *needs("bpf") * needs("mounts")
    * lends() * needs("bpftrace", [] {
	return lib::runnable("/usr/bin/bpftrace", "NONE").empty() ?
	    "it is not here" : "";
    }) * description("signal() of bpftrace is an event that stackcount "
    "counts."))
{
	constexpr int times = 100;
	BOOST_REQUIRE(own_mounts());
	(void)mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, nullptr);
	(void)mount("debugfs", "/sys/kernel/debug", "debugfs", 0, nullptr);
	const std::string program = staged::path("probes_lean");
	running tool({STACKCOUNT, "--user", "-n", "probes_lean",
	    "t:signal:signal_generate"});
	BOOST_REQUIRE(tool.says("Ctrl-C ends"));
	running tracer({"/usr/bin/bpftrace", "--unsafe", "-e", "uprobe:" +
	    program + ":three { signal(23); }", "-c", program + " " +
	    std::to_string(times)});
	(void)tracer.end();
	if (tracer.out.find("done") == tracer.out.npos) {
		BOOST_TEST_MESSAGE("bpftrace does not work here: " <<
		    tracer.err);
		return;
	}
	tool.interrupt();
	BOOST_TEST(tool.end() == 0);
	const std::size_t at = tool.out.find("  three  [probes_lean]\n  turn  "
	    "[probes_lean]\n  main  [probes_lean]\n");
	BOOST_REQUIRE(at != tool.out.npos);
	BOOST_TEST(tool.out.find("\n    " + std::to_string(3 * times) + "\n",
	    at) != tool.out.npos);
	umount("/sys/kernel/debug");
	umount("/sys/kernel/tracing");
}

BOOST_AUTO_TEST_SUITE_END()
