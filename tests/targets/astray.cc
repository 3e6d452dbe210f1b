// Tests stacks that lead nowhere: what is reported of them is true, and said to
// be less than all.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agree.h"
#include "cancellation.h"
#include "require.h"

namespace {

using words = std::vector<std::string>;

// The functions begin with all of must, and go on with the beginning of may;
// "?" is an address that no file has.
void
stops(const char *kind, const char *mode, const words &must, const words &may)
{
	BOOST_TEST_CONTEXT(kind << " " << mode) {
		target t({program(kind), mode});
		t.stop();
		const captured c = capture(t.pid());
		BOOST_TEST(c.error == 0);
		BOOST_TEST(c.why != STACK9_WHY_NONE, c.reason);
		words names = names_of(t.pid(), c), all = must;
		std::erase(names, "__kernel_vsyscall");
		names = without_cancellation(names);
		// In a 32-bit library without a debug file they have no names.
		const auto call = std::find_if(names.begin(), names.end(),
		    [](const std::string &n) { return n != "?"; });
		if (call - names.begin() == std::ssize(of_cancellation))
			names.erase(names.begin(), call);
		all.insert(all.end(), may.begin(), may.end());
		BOOST_TEST(names.size() >= must.size(), text_of(c.pcs));
		all.resize(std::max(must.size(), std::min(names.size(),
		    all.size())));
		BOOST_TEST((names == all), fmt::format("{}",
		    fmt::join(names, " ")));
		if (!names.empty() && names.back() == "?")
			BOOST_TEST(mapped_at(t.pid(), c.pcs.back()) == "");
	}
}

} // namespace

// /proc shows sp and pc of a thread that sleeps: its frame pointer takes BPF.
#define	PROMISE(what) boost::unit_test::description("ISSUE: a stack that "\
	"stops short says so: " what)

BOOST_AUTO_TEST_CASE(overwritten, *needs("bpf")
    * PROMISE("one that was written over"))
{
	for (const char *const kind : {"fp_only", "no_fp", "m32"})
		if (!program(kind).empty())
			stops(kind, "overwritten", {"read", "block",
			    "overwrite"}, {"?"});
}

BOOST_AUTO_TEST_CASE(zeros, *needs("bpf")
    * PROMISE("one that zeros were written over"))
{
	for (const char *const kind : {"plain", "fp_only", "no_fp", "m32"})
		if (!program(kind).empty())
			stops(kind, "zero", {"read", "block", "zero"}, {});
}

// read, block, spoil, inner where a return address can still be found.
BOOST_AUTO_TEST_CASE(wild_frame_pointer, *needs("bpf")
    * PROMISE("a frame pointer that points "
    "to nothing"))
{
	stops("fp_only", "wild", {"read", "block", "spoil"}, {"inner"});
}

BOOST_AUTO_TEST_CASE(cycles, *needs("bpf")
    * PROMISE("frames that lead back to themselves"))
{
	stops("fp_only", "cycle1", {"read", "block", "spoil"}, {"inner"});
	const words twice{"cycle", "middle", "middle", "middle", "middle"};
#ifdef __x86_64__
	// From the frames that lead to each other the code leads on to the real
	// ones: a guess, and said to be one.
	target t({program("fp_only"), "cycle2"});
	t.stop();
	const captured c = capture(t.pid());
	const words names = names_of(t.pid(), c), begin{"read", "block",
	    "spoil", "cycle"};
	BOOST_TEST((c.flags & STACK9_STACK_GUESSED) != 0);
	BOOST_TEST((names.size() > begin.size() && std::equal(begin.begin(),
	    begin.end(), names.begin())), text_of(c.pcs));
#else
	stops("fp_only", "cycle2", {"read", "block", "spoil"}, twice);
#endif
	if (!program("m32_fp_only").empty()) {
		stops("m32_fp_only", "cycle1", {"read", "block", "spoil"},
		    {"inner"});
		stops("m32_fp_only", "cycle2", {"read", "block", "spoil"},
		    twice);
	}
}

#ifdef __x86_64__
// Code that no file has is passed by its frame pointer, where it has one.
BOOST_AUTO_TEST_CASE(jit_code, *needs("bpf")
    * boost::unit_test::description(
    "ISSUE: code that a JIT has made, with a frame pointer and without"))
{
	target framed({program("no_fp"), "jit-fp"});
	framed.stop();
	const captured c = capture(framed.pid());
	BOOST_TEST(c.why == STACK9_WHY_NONE, c.reason);
	BOOST_TEST((c.flags & STACK9_STACK_GUESSED) != 0);
	BOOST_TEST(has_row(c.pcs, framed.noted()), text_of(c.pcs));
	stops("no_fp", "jit", {"read", "block", "?"}, {});
}

BOOST_AUTO_TEST_CASE(made_code_that_only_returns, *needs("bpf")
    * boost::unit_test::description(
    "On x86-64 code that was generated at run time may do nothing after its "
    "call except remove its frame and return. Then these instructions show "
    "its caller, and nothing is guessed."))
{
	target t({program("no_fp"), "jit-straight"});
	t.stop();
	const captured c = capture(t.pid());
	BOOST_TEST(c.why == STACK9_WHY_NONE, c.reason);
	BOOST_TEST((c.flags & STACK9_STACK_GUESSED) == 0);
	BOOST_TEST(has_row(c.pcs, t.noted()), text_of(c.pcs));
}

static void
passes(const char *mode)
{
	for (const char *const kind : {"no_fp", "plain"})
		for (const char *const thread : {"", "thread"}) {
			std::vector<std::string> args{program(kind), mode};
			if (*thread != '\0')
				args.push_back(thread);
			target t(args);
			t.stop();
			bool passed = false;
			for (const pid_t tid : t.tids()) {
				const captured c = capture(tid);
				BOOST_TEST(c.why == STACK9_WHY_NONE, c.reason
				    << text_of(c.pcs));
				if (!has_row(c.pcs, t.noted()))
					continue;
				passed = true;
				BOOST_TEST(c.pcs.size() >= 8u);
				BOOST_TEST((c.flags & STACK9_STACK_GUESSED)
				    != 0);
			}
			BOOST_TEST(passed, kind << thread);
		}
}

// read, block, the made function that calls it, two entries, run_entries.
BOOST_AUTO_TEST_CASE(made_entries, *needs("bpf")
    * boost::unit_test::description(
    "Code that the program has made while it ran, in memory that is executable "
    "and of no file, is passed by its frame pointers if they lead up the stack "
    "to code with unwind information and a call before the return address."))
{
	passes("jit-entries");
}

// Its frame pointer register is 8 where it calls.
BOOST_AUTO_TEST_CASE(made_and_compiled, *needs("bpf")
    * boost::unit_test::description(
    "Compiled code of HotSpot's need not keep a frame pointer; it is passed by "
    "the instructions with which its functions begin."))
{
	passes("jit-compiled");
}

// The frame pointer is another value that points to a pair on the stack.
BOOST_AUTO_TEST_CASE(made_code_that_leads_nowhere,
    *boost::unit_test::description("If the frame pointers lead elsewhere, each "
    "frame is passed as stack9(3) says, or the stack ends there."))
{
	stops("no_fp", "jit-lost", {"read", "block", "?"}, {});
}
#endif
