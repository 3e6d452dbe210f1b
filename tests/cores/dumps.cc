// Tests small cores: their stacks are those of the process, whoever reads them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <lib/process.h>
#include <lib/programs.h>
#include <lib/text.h>
#include <require.h>

#include "dumped.h"

extern "C" const char __ehdr_start[];	// of the linker: the ELF headers

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

// A child that has code of this program below its headers, too, as node has.
pid_t
start_remapped()
{
	constexpr std::uintptr_t low = 0x10000000;
	constexpr std::size_t page = 4096;
	int ready[2];
	BOOST_REQUIRE(pipe(ready) == 0);
	const pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		const int fd = ::open("/proc/self/exe", O_RDONLY);
		// A dump takes no page that the child has not touched.
		if (*static_cast<const volatile char *>(__ehdr_start) == 0 ||
		    mmap(reinterpret_cast<void *>(low), page, PROT_READ |
		    PROT_EXEC, MAP_PRIVATE | MAP_FIXED_NOREPLACE, fd, page) ==
		    MAP_FAILED || write(ready[1], "", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	char c;
	close(ready[1]);
	const bool is_mapped = read(ready[0], &c, 1) == 1;
	close(ready[0]);
	BOOST_REQUIRE(is_mapped);
	return pid;
}

} // namespace

BOOST_AUTO_TEST_CASE(code_below_the_headers, *needs("bpf") * SAYS(
    "a file has its build-id where its code is mapped below its headers"))
{
	pid_t pid = start_remapped();
	stack9_core *process = nullptr;
	const stack9_thread td{pid, pid, 0};
	const int error = stack9_core_open_process(&td, nullptr, &process);
	lib::kill_and_reap(pid);
	BOOST_REQUIRE(error == 0);
	const unique_core core(process);
	for (const std::string &note : notes_of(core.get()))
		BOOST_TEST(note.find("/test_cores:") == note.npos, note);
}

// A process that was forked has touched no page of most of its files.
BOOST_AUTO_TEST_CASE(headers_that_were_not_touched, *needs("bpf") * SAYS(
    "the list of the mapped files with their build-ids"))
{
	const scratch in;
	const std::string path = in / "dump";
	pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	lib::wait_for_state(pid, 'S');
	dump(pid, path);
	lib::kill_and_reap(pid);
	stack9_core_options elsewhere{};
	elsewhere.size = sizeof elsewhere;
	elsewhere.sysroot = in.path().c_str();
	unique_core core;
	BOOST_REQUIRE(open(path, core, &elsewhere) == 0);
	const auto missing = notes_of(core.get());
	BOOST_TEST(missing.size() > 4u);
	for (const std::string &note : missing)
		BOOST_TEST(note.find("build-id is") != note.npos, note);
}

BOOST_AUTO_TEST_CASE(stacks_of_a_dump, *needs("bpf") * SAYS(
    "stack9_core_open() reads a dump, with the same stacks, and so do gdb(1) "
    "and eu-stack(1); the lists of the dynamic loader are in it for these."))
{
	const scratch in;
	const waiting p;
	const std::string path = in / "dump";
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
	dump(p.pid(), in / "dump");
	BOOST_TEST(switches_of(p.pid()) == before);
}

BOOST_AUTO_TEST_CASE(as_gdb_reads_it, *needs("bpf") * needs("gdb", [] {
	return lacks("gdb"); }))
{
	const scratch in;
	const waiting p;
	const std::string path = in / "dump";
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
	const std::string path = in / "dump";
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
	const std::string path = in / "dump";
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
	const std::string first = in / "first", second = in / "second";
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
    "the process, and with the floating-point registers."))
{
	const scratch in;
	const std::string path = kernel_core(in), small = in / "d";
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
	const std::string path = in / "dump";
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
