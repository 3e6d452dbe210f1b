// Compares the functions of languages that a core has with those that the
// process had while it lived.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include <lib/process.h>
#include <lib/programs.h>
#include <require.h>
#include <stack9_frames.h>

#include "made_core.h"

#define	SAYS(sentence) boost::unit_test::description(sentence)

BOOST_AUTO_TEST_SUITE(languages)

namespace {

using namespace cores;
struct frame {
	std::string	name, file;
	std::uint32_t	line;
	bool operator==(const frame &) const = default;
};
using stacks = std::map<pid_t, std::vector<frame>>;

int
take_frame(void *arg, const stack9_frame *f)
{
	if (f->kind == STACK9_FRAME_WRITTEN)
		static_cast<std::vector<frame> *>(arg)->push_back({f->name,
		    f->file, f->line});
	return 0;
}

int
take_thread(void *arg, const stack9_sample *s)
{
	stack9_frames(s->user, STACK9_FRAMES_LINES, take_frame,
	    &(*static_cast<stacks *>(arg))[s->thread.tid]);
	return 0;
}

stack9_save_options
with_languages()
{
	stack9_save_options o{};
	o.size = sizeof o;
	o.flags = STACK9_SAVE_LANGUAGES;
	return o;
}

bool
has_innermost(const stacks &all)
{
	for (const auto &[tid, frames] : all)
		for (const frame &f : frames)
			if (f.name.find("innermost") != f.name.npos)
				return true;
	return false;
}

// Waits until a thread is in the innermost function.
stacks
live_stacks(pid_t pid)
{
	const stack9_save_options o = with_languages();
	const stack9_thread td{pid, pid, 0};
	for (;;) {
		stacks all;
		BOOST_REQUIRE_EQUAL(stack9_each(&td, STACK9_USER, &o,
		    take_thread, &all), 0);
		if (has_innermost(all))
			return all;
	}
}

stacks
core_stacks(const std::string &path)
{
	const stack9_save_options o = with_languages();
	unique_core core;
	stacks all;
	BOOST_REQUIRE(open(path, core) == 0);
	BOOST_REQUIRE_EQUAL(stack9_core_each(core.get(), &o, take_thread,
	    &all), 0);
	return all;
}

struct program {
	const char			*language;
	std::vector<std::string>	words;
};

const program programs[] = {
	{"python", {"/usr/bin/python3", "-c", "import sys\n"
	    "def innermost():\n print('ready', flush=True)\n"
	    " sys.stdin.read()\n"
	    "def outer(): return [innermost() for i in range(1)]\nouter()"}},
	{"perl", {"/usr/bin/perl", "-e", "$| = 1;\n"
	    "sub innermost { print \"ready\\n\"; my $l = <STDIN>; 1 }\n"
	    "sub outer { innermost(); 1 }\nouter(); 1"}},
	{"ruby", {"/usr/bin/ruby", "-e", "$stdout.sync = true\n"
	    "def innermost\n puts 'ready'\n $stdin.read\nend\n"
	    "def outer\n [1].each { innermost }\nend\n"
	    "def waiting\n sleep\nend\n"
	    "all = (1..6).map { Thread.new { waiting } }\n"
	    "Thread.pass until all.all?(&:stop?)\nouter"}},
	{"php", {"/usr/bin/php", "-r", "function innermost() {\n"
	    " echo \"ready\\n\"; fgets(STDIN);\n}\n"
	    "function outer() { innermost(); }\nouter();"}},
	{"javascript", {"/usr/bin/node", "-e",
	    "const fs = require('fs');\nfunction innermost() {\n"
	    " fs.writeSync(1, 'ready\\n');\n"
	    " fs.readSync(0, Buffer.alloc(1));\n}\n"
	    "function outer() { innermost(); }\nouter();"}},
	{"java", {"/usr/bin/java", "-Xmx16m", "-XX:+UseSerialGC",
	    "-XX:ReservedCodeCacheSize=8m", SLEEPS}},
};

struct running {
	explicit running(const program &p) : is(lib::start_piped(p.words)) {}
	~running()
	{
		close(is.input);
		close(is.output);
		lib::kill_and_reap(is.pid);
	}
	lib::piped	is;
};

// While it lives, memory that is not present at the moment is not read, and a
// line may not be known.
std::vector<std::string>
lines_of(const std::vector<frame> &all, const std::vector<frame> &known)
{
	std::vector<std::string> to;
	for (std::size_t i = 0; i < all.size(); i++)
		to.push_back(fmt::format("{} {}:{}", all[i].name, all[i].file,
		    i < known.size() && known[i].line == 0 ? 0 : all[i].line));
	return to;
}

using maker = void(pid_t, const std::string &path);

void
make_core(pid_t pid, const std::string &path)
{
	BOOST_REQUIRE(std::system(fmt::format("gcore -o {0} {1} >/dev/null "
	    "2>&1 </dev/null && mv {0}.{1} {0}", path, pid).c_str()) == 0);
}

// Ruby has the frames of each thread in an array on its stack, of a megabyte.
void
make_dump(pid_t pid, const std::string &path)
{
	BOOST_REQUIRE(std::system(fmt::format("{} --dump {} {} >/dev/null",
	    STACKPRINT, path, pid).c_str()) == 0);
}

void
compare(const program &p, maker make)
{
	const scratch in;
	running now(p);
	char first;
	BOOST_REQUIRE(read(now.is.output, &first, 1) == 1);
	stacks before;
	const std::string path = in / "core";
	do {	// until it was asleep meanwhile
		before = live_stacks(now.is.pid);
		make(now.is.pid, path);
	} while (live_stacks(now.is.pid) != before);
	const stacks after = core_stacks(path);
	BOOST_TEST(before.size() <= after.size());
	for (const auto &[tid, frames] : before) {
		BOOST_REQUIRE(after.contains(tid));
		BOOST_TEST(lines_of(after.at(tid), frames) ==
		    lines_of(frames, frames),
		    boost::test_tools::per_element());
	}
}

std::string
lacks_gcore()
{
	return std::system("command -v gcore >/dev/null") == 0 ? "" :
	    "gcore is missing";
}

} // namespace

BOOST_AUTO_TEST_CASE(functions_of_a_core, *needs("gcore", lacks_gcore) *
    needs("bpf") * SAYS("With STACK9_SAVE_LANGUAGES the functions that "
    "interpreters ran are found in the memory of the core."))
{
	for (const program &p : programs)
		if (access(p.words[0].c_str(), X_OK) == 0)
			BOOST_TEST_CONTEXT(p.language)
				compare(p, make_core);
}

BOOST_AUTO_TEST_CASE(functions_of_a_dump, *needs("bpf") * SAYS("So stackprint "
    "--core prints the same stacks of it as of the process at that moment, on "
    "another machine, too."))
{
	for (const program &p : programs)
		if (access(p.words[0].c_str(), X_OK) == 0)
			BOOST_TEST_CONTEXT(p.language)
				compare(p, make_dump);
}

BOOST_AUTO_TEST_SUITE_END()
