// Tests programs in Go, Rust and Java.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cerrno>
#include <fstream>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agree.h"
#include "require.h"

namespace {

void
look_into(const char *name, const expected &e = {})
{
	target t({program(name)});
	t.stop();
	agree(t, e);
}

} // namespace

#define	EQUAL(what) boost::unit_test::description("ISSUE: frames equal to "\
	"those of eu-stack and gdb on the same stopped process: " what)

BOOST_AUTO_TEST_CASE(rust, *built("rust") * EQUAL("Rust"))
{
	look_into("rust");
	look_into("rust_stripped");
}

BOOST_AUTO_TEST_CASE(go, *built("go") * EQUAL("Go"))
{
	look_into("go");
	look_into("go_pie");
}

namespace {

// A stack ends at a function that the runtime starts a stack with.  A thread
// whose goroutine was preempted has given it back in runtime.schedule, and
// runtime.morestack is the first function of what is left.
bool
ends_well(const std::vector<std::string> &names)
{
	static const std::set<std::string> outermost{"runtime.goexit",
	    "runtime.clone", "runtime.mcall"};
	if (names.back() == "runtime.morestack")
		return std::ranges::count(names, "runtime.schedule") == 1;
	return outermost.count(names.back()) == 1 ||
	    begins_a_thread(names.back());
}

// One thread has these functions, all have an outermost one that is known.
void
has_functions(const char *name, const std::vector<std::string> &functions)
{
	target t({program(name)});
	t.stop();
	bool has = false;
	std::string all;
	for (const pid_t tid : t.tids()) {
		const captured c = capture(tid);
		BOOST_TEST(c.why == STACK9_WHY_NONE, name << c.reason
		    << text_of(c.pcs));
		std::vector<std::string> names = names_of(t.pid(), c);
		for (std::string &n : names) {
			n = n.substr(0, n.find(".abi0"));
			// There is a hash of the program in the name.
			if (n.starts_with("_cgoexp_"))
				n.replace(8, n.find('_', 8) - 8, "*");
		}
		// Before Go 1.27 it is called through another one of that name.
		names.erase(std::unique(names.begin(), names.end(),
		    [](const std::string &a, const std::string &b) {
			    return a == b && a == "runtime.cgocallbackg";
		    }), names.end());
		BOOST_TEST(ends_well(names),
		    fmt::format("{}: {}", name, fmt::join(names, " ")));
		all += fmt::format("\n{}", fmt::join(names, " "));
		has |= std::search(names.begin(), names.end(),
		    functions.begin(), functions.end()) != names.end();
	}
	BOOST_TEST(has, fmt::format("{}: no thread has {}:{}", name,
	    fmt::join(functions, " "), all));
}

} // namespace

// The peers know a Go program by its .debug_frame.  That is stripped, and says
// nothing of C's being called on another stack.
BOOST_AUTO_TEST_CASE(go_by_its_own_tables, *built("go_stripped") *
    boost::unit_test::description("ISSUE: Go, names from .gopclntab"))
{
	const std::vector<std::string> end{"main.main", "runtime.main",
	    "runtime.goexit"};
	std::vector<std::string> all{"syscall.Syscall", "syscall.read",
	    "main.inner", "main.middle"};
	all.insert(all.end(), end.begin(), end.end());
	has_functions("go_stripped", all);
	all = {"runtime.asmcgocall", "runtime.cgocall",
	    "main._Cfunc_read_in_c", "main.middle"};
	all.insert(all.end(), end.begin(), end.end());
	has_functions("go_cgo", all);
	has_functions("go_cgo_pie", all);
}

// C that calls Go makes a second frame of runtime.cgocallback(), on the stack
// of the goroutine that called C.  The frames of C are on the stack of the
// thread.
BOOST_AUTO_TEST_CASE(go_that_c_calls, *built("go_callback") *
    boost::unit_test::description("A stack that enters C and comes back to Go "
    "is walked through both"))
{
	const std::vector<std::string> back{"runtime.cgocallbackg1",
	    "runtime.cgocallbackg", "runtime.cgocallback", "crosscall2"};
	const auto with = [&](std::vector<std::string> some,
	    const std::vector<std::string> &more) {
		some.insert(some.end(), back.begin(), back.end());
		some.insert(some.end(), more.begin(), more.end());
		return some;
	};
	const std::vector<std::string> called{"main.called",
	    "_cgoexp_*_called"};
	has_functions("go_callback", with(called, {"called", "call_go"}));
	has_functions("go_callback_pie", with(called, {}));
	for (const char *const name : {"go_callback", "go_callback_pie"})
		has_functions(name, {"runtime.asmcgocall", "runtime.cgocall",
		    "main._Cfunc_call_go", "main.middle", "main.main",
		    "runtime.main", "runtime.goexit"});
	has_functions("go_callback", with(called, {"called", "thread_in_c"}));
	has_functions("go_callback", with({"main.inner", "main.calledByThread",
	    "_cgoexp_*_calledByThread"}, {"calledByThread", "thread_in_go"}));
}

// gdb goes on in what the stack of the thread held before, and eu-stack ends.
BOOST_AUTO_TEST_CASE(go_on_the_stack_of_the_thread, *needs("bpf") *
    built("go_panicking") *
    boost::unit_test::description("The walk goes on where the runtime would, "
    "if the thread's r14 is known: to the goroutine that its m runs."))
{
	for (const char *const name : {"go_panicking", "go_panicking_pie"})
		has_functions(name, {"runtime.fatalpanic.func1",
		    "runtime.systemstack", "runtime.fatalpanic",
		    "runtime.gopanic", "main.fails", "main.fails",
		    "main.fails", "main.fails", "main.main",
		    "runtime.main", "runtime.goexit"});
}

// C's start of a thread has no unwind information there.
BOOST_AUTO_TEST_CASE(go_linked_by_itself, *built("go_net") *
    boost::unit_test::description("In other code without unwind information "
    "the instructions up to the return are followed, if they only remove the "
    "frame."))
{
	has_functions("go_net", {"main.main", "runtime.main",
	    "runtime.goexit"});
}

// Go reads the clock on the stack of the thread, not of the goroutine.
BOOST_AUTO_TEST_CASE(go_in_the_vdso, *needs("bpf") * built("go"))
{
	target t({program("go"), "clock"}, true);
	const captured c = stop_in(t, "[vdso]");
	BOOST_REQUIRE(!c.pcs.empty());
	const auto names = names_of(t.pid(), c);
	const std::string text = fmt::format("{}", fmt::join(names, " "));
	BOOST_TEST(c.why == STACK9_WHY_NONE, c.reason << text);
	BOOST_TEST(text.find("time.Now") != text.npos, text);
	BOOST_TEST(names.back().starts_with("runtime.goexit"), text);
}

namespace {

std::string
name_of(pid_t pid, pid_t tid)
{
	std::ifstream comm(fmt::format("/proc/{}/task/{}/comm", pid, tid));
	std::string name;
	std::getline(comm, name);
	return name;
}

} // namespace

// A thread of the JVM leads to its beginning, or the walk says why it does not.
// HotSpot's frames have no unwind information; those of compiled code need not
// have a frame pointer.
BOOST_AUTO_TEST_CASE(java, *built("java") * boost::unit_test::description(
    "ISSUE: every thread's stack goes to its start function, or says why not; "
    "none of gdb's and eu-stack's is deeper: Java"))
{
	target t({program("java")}, true);
	t.stop();
	const stacks by_eu_stack = eu_stack.here ? eu_stack.ask(t.pid()) :
	    stacks{};
	const stacks by_gdb = gdb.here ? gdb.ask(t.pid()) : stacks{};
	std::size_t guessed = 0, deepest = 0;
	std::ptrdiff_t compiled = 0;	// frames of one compiled function
	for (const pid_t tid : t.tids()) {
		const captured c = capture(tid);
		const std::vector<std::string> names = names_of(t.pid(), c);
		const std::string text = fmt::format("{}: {}", c.reason,
		    fmt::join(names, " "));
		BOOST_TEST(c.error == 0, text);
		BOOST_TEST(c.why == STACK9_WHY_NONE, text);
		BOOST_TEST((tid == t.pid() || begins_a_thread(names.back())),
		    text);
		guessed += (c.flags & STACK9_STACK_GUESSED) != 0;
		deepest = std::max(deepest, c.pcs.size());
		if (name_of(t.pid(), tid) == "compiled")
			for (const std::uintptr_t pc : c.pcs)
				compiled = std::max(compiled, std::count(
				    c.pcs.begin(), c.pcs.end(), pc));
		for (const stacks *const theirs : {&by_eu_stack, &by_gdb})
			if (const auto at = theirs->find(tid);
			    at != theirs->end())
				BOOST_TEST(at->second.size() <= c.pcs.size(),
				    text << text_of(at->second));
	}
	BOOST_TEST(guessed >= 7u);
	BOOST_TEST(deepest > 50u);
	BOOST_TEST(compiled >= 99);
}

// Compiled code runs, and is interrupted anywhere.
BOOST_AUTO_TEST_CASE(java_running, *built("java"))
{
	target t({program("java")}, true);
	pid_t busy = 0;
	for (const pid_t tid : t.tids())
		if (name_of(t.pid(), tid) == "busy")
			busy = tid;
	BOOST_REQUIRE(busy != 0);
	for (int i = 0; i < 20; i++) {
		captured c = capture(busy);
		// It may move or go on while it is looked at.
		for (int n = 0; n < 100 && c.error == EAGAIN && !is_late(c);
		    n++)
			c = capture(busy);
		const std::vector<std::string> all = names_of(t.pid(), c);
		const std::string names = fmt::format("{}", fmt::join(all,
		    " "));
		BOOST_TEST(c.why == STACK9_WHY_NONE, c.reason << names);
		BOOST_TEST((!all.empty() && begins_a_thread(all.back())),
		    names);
		BOOST_TEST(c.error == 0, c.reason);
	}
}
