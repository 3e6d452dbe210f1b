// Tests the words about processes most of whose frames are a runtime's, or have
// no name.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include <require.h>

#include "child.h"
#include "lib/scratch.h"
#include "worker.h"

using boost::unit_test::description;

namespace {

void
in_python(int input)
{
	dup2(input, 0);
	execl("/usr/bin/python3", "python3", "-c", "import os\n"
	    "def deep(n):\n"
	    "	return deep(n - 1) if n else os.read(0, 1)\n"
	    "deep(5)\n", nullptr);
	_exit(127);
}

void
in_c(int input)
{
	char c;
	(void)!read(input, &c, 1);
}

constexpr int made_calls = 40;

// Runs code in memory of no file.  It calls itself and then reads.
void
in_made_code(int input)
{
	// push %rbp; mov %rsp,%rbp; sub $1,%ecx; je 1f; call self; jmp 2f;
	// 1: syscall; 2: pop %rbp; ret
	static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0x83, 0xe9,
	    0x01, 0x74, 0x07, 0xe8, 0xf2, 0xff, 0xff, 0xff, 0xeb, 0x02, 0x0f,
	    0x05, 0x5d, 0xc3};
	void *const at = mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	std::copy(std::begin(code), std::end(code),
	    static_cast<unsigned char *>(at));
	static char c;
	long result = SYS_read;
	long calls = made_calls;
	asm volatile("call *%[at]" : "+a"(result), "+c"(calls) :
	    [at] "r"(at), "D"(static_cast<long>(input)), "S"(&c), "d"(1L) :
	    "r8", "r9", "r10", "r11", "memory");
}

nlohmann::json
last_object(const std::string &lines)
{
	std::istringstream in(lines);
	nlohmann::json last;
	for (std::string line; std::getline(in, line);)
		last = nlohmann::json::parse(line);
	return last;
}

} // namespace

BOOST_AUTO_TEST_SUITE(hints)

BOOST_AUTO_TEST_CASE(of_an_interpreter, *needs("bpf") * description(
    "If most frames of a process have no name or are those of a runtime, in "
    "the threads that run its code, a message says what would help."))
{
	const worker python(in_python), c(in_c);
	BOOST_REQUIRE(wait_for_state(python.pid, 'S', SYS_read));
	BOOST_REQUIRE(wait_for_state(c.pid, 'S', SYS_read));
	const said s = run({STACKPRINT, "--native", "-p",
	    python.name()});
	BOOST_TEST(has(s.err, "python3, pid " + python.name() + ": "), s.err);
	BOOST_TEST(has(s.err, " frames are a runtime's or have no name; what "
	    "helps: python3 -X perf (3.12 and later), "), s.err);
	BOOST_TEST(times(s.err, "what helps") == 1u, s.err);
	BOOST_TEST(!has(run({STACKPRINT, "-p", c.name()}).err, "what helps"));
	// Its own functions have names.
	BOOST_TEST(!has(run({STACKPRINT, "-p", python.name()}).err,
	    "what helps"));
	const auto o = last_object(run({STACKPRINT, "--native", "--json",
	    "-p", python.name()}).out)["tally"];
	BOOST_REQUIRE(o["hints"].size() == 1u);
	BOOST_TEST(o["hints"][0]["pid"] == python.pid);
	BOOST_TEST(o["hints"][0]["frames"] > o["hints"][0]["without_name"]);
	BOOST_TEST(has(o["hints"][0]["help"], "-X perf"));
	BOOST_TEST(!last_object(run({STACKPRINT, "--json", "-p",
	    c.name()}).out)["tally"].contains("hints"));
	BOOST_TEST(!has(run({STACKPRINT, "-k", "-p", python.name()}).err,
	    "what helps"));
}

#ifdef __x86_64__
BOOST_AUTO_TEST_CASE(of_made_code, *needs("bpf"))
{
	const worker w(in_made_code);
	BOOST_REQUIRE(wait_for_state(w.pid, 'S', SYS_read));
	const said s = run({STACKPRINT, "-u", "-p", w.name()});
	BOOST_TEST(has(s.err, "what helps: /tmp/perf-" + w.name() + ".map, "),
	    s.err + s.out);
}
#endif

// The process without rights reads the file, and this one says it.
BOOST_AUTO_TEST_CASE(of_split_files, *needs("bpf") *
    description("A message says so once a file, with what would help."))
{
	const lib::scratch room;
	static std::string dir;
	dir = room.path();
	const bool built = std::system(("cd " + dir + " && echo '#include "
	    "<unistd.h>\nint main() { char c; return read(0, &c, 1); }' >s.c "
	    "&& " CC " -g -gsplit-dwarf -o s s.c && rm *.dwo").c_str()) == 0;
	BOOST_REQUIRE(built);
	const worker w([](int input) {
		dup2(input, 0);
		execl((dir + "/s").c_str(), "s", nullptr);
		_exit(127);
	});
	BOOST_REQUIRE(wait_for_state(w.pid, 'S', SYS_read));
	const said s = run({STACKPRINT, "-l", "-p", w.name()});
	BOOST_TEST(times(s.err, dir + "/s: its .dwo files are missing") == 1u,
	    s.err);
	const auto o = last_object(run({STACKPRINT, "--json", "-l", "-p",
	    w.name()}).out)["tally"];
	BOOST_TEST(o["files"][0]["lacks"] == "split-files");
	BOOST_TEST(!has(run({STACKPRINT, "-p", w.name()}).err, "missing"));
}

BOOST_AUTO_TEST_SUITE_END()
