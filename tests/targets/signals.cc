// Tests stacks with a signal's frame in them, in the vdso, and deep ones.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "agree.h"

namespace {

const char *const kinds[] = {"plain", "no_fp", "static", "m32", "m32_static"};

// eu-stack ends in the main() of a 32-bit program, because that aligns its
// frame.
beside
eu_stack_beside(const char *kind)
{
	return kind[0] == 'm' ? beside::shorter : beside::same;
}

} // namespace

BOOST_AUTO_TEST_CASE(in_a_handler, *boost::unit_test::description(
    "ISSUE: frames equal to those of eu-stack and gdb on the same stopped "
    "process: a signal frame, of a handler on a stack of its own"))
{
	for (const char *const kind : kinds) {
		if (program(kind).empty())
			continue;
		BOOST_TEST_CONTEXT(kind) {
			target t({program(kind), "signal"});
			t.stop();
			expected e;
			e.eu_stack = eu_stack_beside(kind);
			agree(t, e);
		}
	}
}

// The caller of NULL is found by the return address that the call has left, but
// not by eu-stack.
BOOST_AUTO_TEST_CASE(call_through_null, *boost::unit_test::description(
    "ISSUE: a stack that a call through NULL leads to"))
{
	for (const char *const kind : kinds) {
		if (program(kind).empty())
			continue;
		BOOST_TEST_CONTEXT(kind) {
			target t({program(kind), "null"});
			t.stop();
			expected e;
			e.eu_stack = beside::shorter;
			e.guessed = true;
			agree(t, e);
		}
	}
}

BOOST_AUTO_TEST_CASE(in_the_vdso, *boost::unit_test::description(
    "ISSUE: frames equal to those of eu-stack and gdb on the same stopped "
    "process: vdso"))
{
	for (const char *const kind : {"plain", "no_fp", "stripped"}) {
		target t({program(kind), "vdso"}, true);
		BOOST_REQUIRE(!stop_in(t, "[vdso]").pcs.empty());
		agree(t);
	}
}

BOOST_AUTO_TEST_CASE(deep, *boost::unit_test::description(
    "ISSUE: a stack of 100,000 frames is fetched on, not cut silently"))
{
	target t({program("no_fp"), "deep"});
	t.stop();
	const captured c = capture(t.pid());
	BOOST_TEST(c.error == 0);
	BOOST_TEST(c.why == STACK9_WHY_NONE, c.reason);
	BOOST_TEST(c.pcs.size() > 100000);
	BOOST_TEST(c.pcs.size() < 100020);
	BOOST_TEST(has_row(c.pcs, t.noted()));
	const auto most = std::count(c.pcs.begin(), c.pcs.end(), c.pcs[1000]);
	BOOST_TEST(most >= 99990);
}
