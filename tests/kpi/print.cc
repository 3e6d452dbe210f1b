// Tests stack(9), "Printing": every format, byte for byte.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <cstdio>
#include <string>

#include <stack9/sys/malloc.h>

#include "core/seam/record.h"
#include "printing.h"

using boost::unit_test::description;

BOOST_FIXTURE_TEST_SUITE(print, with_symbols)

BOOST_AUTO_TEST_CASE(long_format, *description(
    "The long format has a line for each frame, with the frame's number, its "
    "program counter, and the function and offset that the program counter "
    "stands for"))
{
	BOOST_TEST(printed(stack_print, mixed) == mixed_long);
	BOOST_TEST(printed(stack_print_ddb, mixed) == mixed_long);
	BOOST_TEST(in_sbuf([](auto *sb) {
		stack_sbuf_print(sb, &mixed);
	}) == mixed_long);
	BOOST_TEST(in_sbuf([](auto *sb) {
		stack_sbuf_print_ddb(sb, &mixed);
	}) == mixed_long);
	BOOST_TEST(flagged(mixed, M_WAITOK, STACK_SBUF_FMT_LONG) == mixed_long);
	BOOST_TEST(flagged(mixed, M_NOWAIT, STACK_SBUF_FMT_LONG) == mixed_long);
}

BOOST_AUTO_TEST_CASE(short_format, *description(
    "The short format has one line for all frames, which are separated by one "
    "blank"))
{
	BOOST_TEST(printed(stack_print_short, mixed) == mixed_short);
	BOOST_TEST(printed(stack_print_short_ddb, mixed) == mixed_short);
}

BOOST_AUTO_TEST_CASE(compact_format, *description(
    "STACK_SBUF_FMT_COMPACT puts all frames on one line, each followed by a "
    "blank; In this format, a program counter without a name is printed as "
    "??+0"))
{
	for (int flags : {0, M_WAITOK, M_NOWAIT})
		BOOST_TEST(flagged(mixed, flags, STACK_SBUF_FMT_COMPACT) ==
		    mixed_compact);
}

BOOST_AUTO_TEST_CASE(no_name, *description(
    "A program counter that has no name is printed as ??+0 in the long format "
    "and as the bare program counter in the short one"))
{
	const struct stack st = of({0x10, 0});
	BOOST_TEST(printed(stack_print, st) ==
	    "#0 0x10 at ??+0\n#1 0 at ??+0\n");
	BOOST_TEST(printed(stack_print_short, st) == "0x10 0\n");
}

BOOST_AUTO_TEST_CASE(never_fails, *description(
    "A failed lookup never fails a print"))
{
	for (int error : {EPERM, ENOENT, EAGAIN, EINVAL, ENOMEM}) {
		fake::always_fails = error;
		BOOST_TEST(printed(stack_print, of({0x1010})) ==
		    "#0 0x1010 at ??+0\n");
		BOOST_TEST(printed(stack_print_ddb, of({0x1010})) ==
		    "#0 0x1010 at ??+0\n");
		BOOST_TEST(flagged(of({0x1010}), M_WAITOK,
		    STACK_SBUF_FMT_LONG) == "#0 0x1010 at ??+0\n");
	}
}

BOOST_AUTO_TEST_CASE(empty, *description(
    "An empty stack prints nothing in the long format and an empty line in the "
    "short one"))
{
	const struct stack st = of({});
	BOOST_TEST(printed(stack_print, st) == "");
	BOOST_TEST(printed(stack_print_ddb, st) == "");
	BOOST_TEST(printed(stack_print_short, st) == "\n");
	BOOST_TEST(printed(stack_print_short_ddb, st) == "\n");
	BOOST_TEST(flagged(st, M_WAITOK, STACK_SBUF_FMT_LONG) == "");
	BOOST_TEST(flagged(st, M_WAITOK, STACK_SBUF_FMT_COMPACT) == "");
}

BOOST_AUTO_TEST_CASE(full, *description(
    "A struct stack holds up to STACK_MAX (18) program counters: all of them "
    "print"))
{
	struct stack st{};
	std::string expected;
	for (int i = 0; i < STACK_MAX; i++) {
		stack_put(&st, 0x1000 + i);
		char line[64];
		std::snprintf(line, sizeof line, "#%d 0x%x at alpha+%#x\n", i,
		    0x1000 + i, i);
		expected += line;
	}
	BOOST_TEST(printed(stack_print, st) == expected);
	BOOST_TEST(printed(stack_print_ddb, st) == expected);
}

BOOST_AUTO_TEST_CASE(names_cut, *description(
    "Names are those of the symbol table, never demangled, and cut after 63 "
    "characters."))
{
	const struct stack st = of({0x3001, 0x4002});
	const std::string expected = "#0 0x3001 at " + std::string(63, 'x') +
	    "+0x1\n#1 0x4002 at operator new(unsigned long)+0x2\n";
	BOOST_TEST(printed(stack_print, st) == expected);
	BOOST_TEST(in_sbuf([&](auto *sb) {
		stack_sbuf_print(sb, &st);
	}) == expected);
	BOOST_TEST(flagged(st, M_NOWAIT, STACK_SBUF_FMT_LONG) == expected);
	BOOST_TEST(printed(stack_print_short, of({0x3001})) ==
	    std::string(63, 'x') + "+0x1\n");
}

BOOST_AUTO_TEST_CASE(names_whole, *description(
    "The _ddb variants print whole names"))
{
	const std::string expected = "#0 0x3001 at " + name64 + "+0x1\n";
	BOOST_TEST(printed(stack_print_ddb, of({0x3001})) == expected);
	BOOST_TEST(in_sbuf([](auto *sb) {
		const struct stack st = of({0x3001});
		stack_sbuf_print_ddb(sb, &st);
	}) == expected);
	const std::string longest(stack9::name_max - 1, 'y');
	const fake::symbol one[] = {{0x1000, 0x10, longest.c_str()}};
	fake::symbols(one);
	BOOST_TEST(printed(stack_print_ddb, of({0x1001, 0x1002})) ==
	    "#0 0x1001 at " + longest + "+0x1\n#1 0x1002 at " + longest +
	    "+0x2\n");
}

BOOST_AUTO_TEST_CASE(as_it_is, *description(
    "COMPATIBILITY: A program counter is looked up as it is, so a call that is "
    "the last instruction of its function is printed with the name of the next "
    "function"))
{
	const fake::symbol two[] = {{0x1000, 0x10, "caller"},
	    {0x1010, 0x10, "next"}};
	fake::symbols(two);
	const struct stack st = of({0x1010});
	BOOST_TEST(printed(stack_print, st) == "#0 0x1010 at next+0\n");
	BOOST_TEST(printed(stack_print_ddb, st) == "#0 0x1010 at next+0\n");
	BOOST_TEST(printed(stack_print_short, st) == "next+0\n");
	BOOST_TEST(flagged(st, M_NOWAIT, STACK_SBUF_FMT_COMPACT) ==
	    "next+0 \n");
}

BOOST_AUTO_TEST_CASE(nowait, *description(
    "With M_NOWAIT in flags the call fails rather than wait for a lock or load "
    "a symbol table; lines that are already in sb stay there"))
{
	fake::nowait_fails = EAGAIN;
	BOOST_TEST(flagged(mixed, M_NOWAIT, STACK_SBUF_FMT_LONG,
	    EWOULDBLOCK) == "");
	BOOST_TEST(flagged(mixed, M_WAITOK, STACK_SBUF_FMT_LONG) == mixed_long);
	const std::string kept = in_sbuf([](struct sbuf *sb) {
		const struct stack one = of({0x1010});
		fake::nowait_fails = 0;
		BOOST_TEST(stack_sbuf_print_flags(sb, &one, M_NOWAIT,
		    STACK_SBUF_FMT_LONG) == 0);
		sbuf_cat(sb, "begun");
		fake::nowait_fails = EAGAIN;
		BOOST_TEST(stack_sbuf_print_flags(sb, &one, M_NOWAIT,
		    STACK_SBUF_FMT_COMPACT) == EWOULDBLOCK);
	});
	BOOST_TEST(kept == "#0 0x1010 at alpha+0x10\nbegun");
}

BOOST_AUTO_TEST_CASE(no_format, *description(
    "EINVAL: format is neither of the two; nothing is printed"))
{
	for (int format : {STACK_SBUF_FMT_NONE + 0, 3})
		for (const struct stack &st : {mixed, of({})})
			BOOST_TEST(flagged(st, M_WAITOK,
			    static_cast<enum stack_sbuf_fmt>(format), EINVAL) ==
			    "");
}

BOOST_AUTO_TEST_CASE(ends_the_line, *description(
    "Either format ends the line, if one was begun"))
{
	BOOST_TEST(in_sbuf([](struct sbuf *sb) {
		const struct stack none{};
		sbuf_cat(sb, "begun");
		stack_sbuf_print_flags(sb, &none, 0, STACK_SBUF_FMT_LONG);
		stack_sbuf_print_flags(sb, &none, 0, STACK_SBUF_FMT_COMPACT);
	}) == "begun\n");
}

BOOST_AUTO_TEST_CASE(bad_depth, *description(
    "COMPATIBILITY: A depth out of range is printed as the nearest depth that "
    "is in range"))
{
	struct stack st = of({0x1010});
	for (int depth : {-1, -(1 << 30)}) {
		st.depth = depth;
		BOOST_TEST(printed(stack_print, st) == "");
		BOOST_TEST(printed(stack_print_short_ddb, st) == "\n");
	}
	st.depth = STACK_MAX;
	const std::string all = printed(stack_print, st);
	for (int depth : {STACK_MAX + 1, 1 << 30}) {
		st.depth = depth;
		BOOST_TEST(printed(stack_print, st) == all);
		BOOST_TEST(printed(stack_print_ddb, st) == all);
	}
}

BOOST_AUTO_TEST_SUITE_END()
