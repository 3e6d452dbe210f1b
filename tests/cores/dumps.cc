// Tests small cores: their stacks are those of the process, whoever reads them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include <lib/programs.h>
#include <lib/text.h>
#include <require.h>

#include "dumped.h"

#define	SAYS(sentence) boost::unit_test::description(sentence)

BOOST_AUTO_TEST_SUITE(dumps)

namespace {

using namespace cores;
namespace fs = std::filesystem;

std::string
lacks(const char *program)
{
	return std::system(fmt::format("command -v {} >/dev/null",
	    program).c_str()) == 0 ? "" : std::string(program) +
	    " is missing";
}

std::string
switches_of(pid_t pid)
{
	std::string all;
	for (const auto &task : fs::directory_iterator(fmt::format(
	    "/proc/{}/task", pid))) {
		const pid_t tid = std::stoi(task.path().filename().string());
		all += lib::status_value(tid, "voluntary_ctxt_switches") +
		    " " + lib::status_value(tid,
		    "nonvoluntary_ctxt_switches") + " ";
	}
	return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(stacks_of_a_dump, *needs("bpf") * SAYS(
    "stack9_core_open() reads a dump, with the same stacks, and so do gdb(1) "
    "and eu-stack(1); the lists of the dynamic loader are in it for these."))
{
	const scratch in;
	const waiting p;
	const std::string path = (in / "dump").string();
	const lines live = lines_of_process(p.pid());
	dump(p.pid(), path);
	BOOST_TEST(live.size() == 4u);
	BOOST_TEST(lines_of_core(path) == live,
	    boost::test_tools::per_element());
	BOOST_TEST(fs::file_size(path) < 100000u);
}

BOOST_AUTO_TEST_CASE(nobody_is_stopped, *needs("bpf") * SAYS("Its threads have "
    "the registers and the stacks that they have now, and nobody is stopped: "
    "the routes of stack9(3) take them."))
{
	const scratch in;
	const waiting p;
	const std::string before = switches_of(p.pid());
	dump(p.pid(), (in / "dump").string());
	BOOST_TEST(switches_of(p.pid()) == before);
}

BOOST_AUTO_TEST_CASE(as_gdb_reads_it, *needs("bpf") * needs("gdb", [] {
	return lacks("gdb"); }))
{
	const scratch in;
	const waiting p;
	const std::string path = (in / "dump").string();
	dump(p.pid(), path);
	const char *const ask = "gdb -nx -batch -iex 'set auto-load off' "
	    "-ex 'set print frame-arguments none' -ex 'thread apply all bt' ";
	const lines live = frames_of(fmt::format("{} -p {}", ask, p.pid())),
	    dead = frames_of(fmt::format("{} {} {}", ask, PROGRAM, path));
	BOOST_TEST(live.size() > 20u);
	BOOST_TEST(dead == live, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(as_eu_stack_reads_it, *needs("bpf") * needs("eu-stack",
    [] { return lacks("eu-stack"); }))
{
	const scratch in;
	const waiting p;
	const std::string path = (in / "dump").string();
	dump(p.pid(), path);
	const lines live = frames_of(fmt::format("eu-stack -p {}", p.pid())),
	    dead = frames_of("eu-stack --core " + path);
	BOOST_TEST(live.size() > 20u);
	BOOST_TEST(dead == live, boost::test_tools::per_element());
}

// eu-stack looks for files wherever a segment begins.
BOOST_AUTO_TEST_CASE(as_eu_stack_reads_many_files, *needs("bpf") *
    needs("eu-stack", [] { return lacks("eu-stack"); }))
{
	if (access("/usr/bin/python3", X_OK) != 0)
		return;
	const scratch in;
	const waiting p({"/usr/bin/python3", "-c",
	    "import ctypes, decimal, json, ssl, sys\n"
	    "print('r', flush=True)\nsys.stdin.read()"});
	const std::string path = (in / "dump").string();
	dump_still(p.pid(), path);
	const lines live = frames_of(fmt::format("eu-stack -p {}", p.pid())),
	    dead = frames_of("eu-stack --core " + path);
	BOOST_TEST(live.size() > 10u);
	BOOST_TEST(dead == live, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_dump_of_a_dump, *needs("bpf") * SAYS(
    "The core has to be one of stack9_core_open_process(), or to be opened "
    "with the flag STACK9_CORE_KEEP of flags."))
{
	const scratch in;
	const waiting p;
	const std::string first = (in / "first").string(),
	    second = (in / "second").string();
	dump(p.pid(), first);
	stack9_core_options o{};
	o.size = sizeof o;
	unique_core core;
	BOOST_REQUIRE(open(first, core, &o) == 0);
	BOOST_TEST(stack9_core_dump(core.get(), 1) == EINVAL);
	o.flags = STACK9_CORE_KEEP;
	BOOST_REQUIRE(open(first, core, &o) == 0);
	dump_to(core.get(), second);
	BOOST_TEST(lines_of_core(second) == lines_of_core(first),
	    boost::test_tools::per_element());
	BOOST_TEST(fs::file_size(second) <= fs::file_size(first));
}

BOOST_AUTO_TEST_CASE(a_dump_of_a_core, *needs("cores", lacks_kernel_cores) *
    SAYS("With --core a dump is made of a core, with the signal that ended "
    "the process."))
{
	const scratch in;
	const std::string path = kernel_core(in), small = (in / "d").string();
	const std::string said = lib::output_of(fmt::format("{} --dump {} "
	    "--core {}", STACKPRINT, small, path));
	BOOST_TEST(said.starts_with(small + ": 4 threads, "), said);
	BOOST_TEST(fs::file_size(small) < fs::file_size(path) / 2);
	BOOST_TEST(lines_of_core(small) == lines_of_core(path),
	    boost::test_tools::per_element());
	const std::string of_core = lib::output_of(fmt::format(
	    "{} --why --core {}", STACKPRINT, path)), of_dump =
	    lib::output_of(fmt::format("{} --why --core {}", STACKPRINT,
	    small));
	BOOST_TEST(of_dump == of_core);
	BOOST_TEST(of_dump.find("SIGSEGV: nothing is mapped at 0x10") !=
	    of_dump.npos);
}

BOOST_AUTO_TEST_CASE(a_dump_of_many_threads, *needs("bpf") * SAYS(
    "A dump has at most 1 MiB for 50 threads, and 1 MiB."))
{
	if (access("/usr/bin/python3", X_OK) != 0)
		return;
	const scratch in;
	const waiting p({"/usr/bin/python3", "-c",
	    "import sys, threading\n"
	    "e, b = threading.Event(), threading.Barrier(100)\n"
	    "def f(n):\n"
	    " if n: return f(n - 1)\n"
	    " b.wait()\n"
	    " e.wait()\n"
	    "for i in range(99):\n"
	    " threading.Thread(target=f, args=(20,), daemon=True).start()\n"
	    "b.wait()\nprint('r', flush=True)\nsys.stdin.read()"});
	const std::string path = (in / "dump").string();
	const lines live = dump_still(p.pid(), path);
	BOOST_TEST(live.size() == 100u);
	BOOST_TEST(fs::file_size(path) <= 2u << 20);
	BOOST_TEST(lines_of_core(path) == live,
	    boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_is_refused)
{
	const stack9_thread own{getpid(), getpid(), 0}, none{1 << 30, 1 << 30,
	    0};
	stack9_core *core = nullptr;
	BOOST_TEST(stack9_core_open_process(&own, nullptr, &core) ==
	    EOPNOTSUPP);
	BOOST_TEST(stack9_core_open_process(&none, nullptr, &core) == ESRCH);
	BOOST_TEST(stack9_core_open_process(nullptr, nullptr, &core) ==
	    EINVAL);
	BOOST_TEST(stack9_core_dump(nullptr, 1) == EINVAL);
	const std::string said = lib::output_of(STACKPRINT " --dump /nowhere/d "
	    "--why 1 2>&1");
	BOOST_TEST(said.find("--dump goes with") != said.npos);
}

BOOST_AUTO_TEST_SUITE_END()
