// Tests what compilers and linkers make of one source.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "agree.h"

namespace {

// Its first thread, and then another one that does the same.
void
look_at(const char *name, const expected &e = {})
{
	target one({program(name)});
	one.stop();
	agree(one, e);
	target two({program(name), "read", "thread"});
	two.stop();
	agree(two, e);
}

} // namespace

#define	EQUAL(what) boost::unit_test::description("ISSUE: frames equal to "\
	"those of eu-stack and gdb on the same stopped process: " what)

BOOST_AUTO_TEST_CASE(plain_c, *EQUAL("plain C"))
{
	look_at("plain");
	look_at("unoptimized");
}

BOOST_AUTO_TEST_CASE(cxx_with_inlines, *EQUAL("C++ with inlines"))
{
	target t({program("inlines")});
	t.stop();
	agree(t);
}

BOOST_AUTO_TEST_CASE(no_frame_pointers, *EQUAL("no frame pointers"))
{
	look_at("no_fp");
}

BOOST_AUTO_TEST_CASE(no_symbols, *EQUAL("stripped"))
{
	look_at("stripped");
	look_at("static_stripped");
}

BOOST_AUTO_TEST_CASE(no_libraries, *EQUAL("static, static-pie"))
{
	look_at("static");
	look_at("static_pie");
}

// eu-stack stops there, or goes by a wrong word; gdb looks at how a function
// begins, and takes what inner() and its like have pushed for return addresses.
BOOST_AUTO_TEST_CASE(frame_pointers_only, *boost::unit_test::description(
    "FRAMES: a frame without unwind information is passed by its frame "
    "pointer, and the record says so"))
{
	expected e;
	e.gdb = e.eu_stack = beside::wrong;
	e.guessed = true;
	target one({program("fp_only")});
	one.stop();
	agree(one, e);
}

#ifdef __x86_64__
namespace {

// The stack is called whole, and has these functions, one after the other.
void
is_followed(const char *kind)
{
	const std::vector<std::string> chain{"block", "inner", "middle",
	    "outer", "main"};
	target t({program(kind)});
	t.stop();
	const captured c = capture(t.pid());
	BOOST_TEST(c.error == 0);
	BOOST_TEST(c.why == STACK9_WHY_NONE, c.reason);
	const std::vector<std::string> names = names_of(t.pid(), c);
	BOOST_TEST((std::search(names.begin(), names.end(), chain.begin(),
	    chain.end()) != names.end()), text_of(c.pcs));
}

} // namespace

// Nothing but the code itself leads from inner() to its callers.
BOOST_AUTO_TEST_CASE(nothing_to_go_by, *boost::unit_test::description(
    "ISSUE: stacks of code without unwind information and frame pointers"))
{
	is_followed("blind");
}

// No unwind information and no frame pointers in all of its C library: gdb goes
// on to words that happen to lie on the stack.
BOOST_AUTO_TEST_CASE(musl, *built("musl") * boost::unit_test::description(
    "ISSUE: stacks of programs of musl are whole, with names"))
{
	is_followed("musl");
	is_followed("musl_static");
}
#else
// Nothing leads from inner() to its callers.  The stack that is reported has to
// be true all the same, and not to be called whole.
BOOST_AUTO_TEST_CASE(nothing_to_go_by, *boost::unit_test::description(
    "ISSUE: a stack that stops for want of unwind information says so"))
{
	target t({program("blind")});
	t.stop();
	const captured c = capture(t.pid());
	BOOST_TEST(c.error == 0);
	BOOST_TEST(c.why == STACK9_WHY_UNWIND, c.reason);
	const std::vector<std::string> names = names_of(t.pid(), c);
	BOOST_TEST_REQUIRE(names.size() >= 2, text_of(c.pcs));
	BOOST_TEST(names.size() <= 3, text_of(c.pcs));
	BOOST_TEST(names[0] == "read");
	BOOST_TEST(names[1] == "block");
	BOOST_TEST((names.size() == 2 || names[2] == "inner"));
}

// No unwind information and no frame pointers in all of its C library: gdb goes
// on to words that happen to lie on the stack.
BOOST_AUTO_TEST_CASE(musl, *built("musl") * boost::unit_test::description(
    "ISSUE: a stack that stops for want of unwind information says so: musl"))
{
	for (const char *const kind : {"musl", "musl_static"}) {
		target t({program(kind)});
		t.stop();
		const captured c = capture(t.pid());
		BOOST_TEST(c.error == 0);
		BOOST_TEST(c.why == STACK9_WHY_UNWIND, c.reason);
		BOOST_TEST(c.pcs.size() == 1, text_of(c.pcs));
	}
}
#endif

// Outside of it there is.
BOOST_AUTO_TEST_CASE(musl_callers, *built("musl") * EQUAL("musl"))
{
	target t({program("musl"), "spin"}, true);
	const captured c = stop_in(t, "musl");
	BOOST_TEST(has_row(c.pcs, t.noted()), c.reason << text_of(c.pcs));
}

// eu-stack ends in main(), because that aligns its frame.
BOOST_AUTO_TEST_CASE(ia32, *built("m32") * EQUAL("32-bit"))
{
	expected e;
	e.eu_stack = beside::shorter;
	look_at("m32", e);
	look_at("m32_stripped", e);
	look_at("m32_static", e);
}

namespace {

// gdb 18 goes on after the outermost frame, from a wrong stack pointer.
frames
up_to_no_code(pid_t pid, const frames &pcs)
{
	return {pcs.begin(), std::find_if_not(pcs.begin(), pcs.end(),
	    [pid](std::uintptr_t pc) { return is_code(pid, pc); })};
}

} // namespace

// The frame that main() has aligned is passed by its frame pointer, and its
// caller's stack pointer is not known then.
BOOST_AUTO_TEST_CASE(ia32_frame_pointers_only, *built("m32_fp_only"))
{
	target t({program("m32_fp_only")});
	t.stop();
	const captured c = capture(t.pid());
	BOOST_TEST(c.why == STACK9_WHY_UNWIND, c.reason);
	BOOST_TEST((c.flags & STACK9_STACK_GUESSED) != 0);
	BOOST_TEST(has_row(c.pcs, t.noted()), text_of(c.pcs));
	if (gdb.here)
		agree_on(t.pid(), up_to_no_code(t.pid(),
		    gdb.ask(t.pid())[t.pid()]), "gdb", beside::same, c);
}
