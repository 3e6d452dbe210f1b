// Defines a stack of each kind of frame, and the text that it prints.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <boost/test/unit_test.hpp>

#include <initializer_list>
#include <string>

#include <unistd.h>

#include <stack9.h>
#include <stack9/sys/sbuf.h>
#include <stack9/sys/stack.h>

#include "fake_symbols.h"

inline const std::string name64(64, 'x');
inline const fake::symbol table[] = {
	{0x1000, 0x100, "alpha"},
	{0x2000, 0x100, "beta"},
	{0x3000, 0x100, name64.c_str()},
	{0x4000, 0x100, "operator new(unsigned long)"},
	{0xffffffff81000000, 0x1000, "schedule"},
};

struct with_symbols {
	with_symbols() { fake::symbols(table); }
	~with_symbols()
	{
		stack9_set_print(nullptr, nullptr);
		stack9_set_ddb_print(nullptr, nullptr);
		stack9_set_ddb_fd(STDERR_FILENO);
	}
};

inline struct stack
of(std::initializer_list<vm_offset_t> pcs)
{
	struct stack st{};
	for (vm_offset_t pc : pcs)
		stack_put(&st, pc);
	return st;
}

inline const struct stack mixed =
    of({0x1010, 0xffffffff81000abc, 0x2000, 0x10, 0});
inline const std::string mixed_long =
    "#0 0x1010 at alpha+0x10\n"
    "#1 0xffffffff81000abc at schedule+0xabc\n"
    "#2 0x2000 at beta+0\n"
    "#3 0x10 at ??+0\n"
    "#4 0 at ??+0\n";
inline const std::string mixed_short =
    "alpha+0x10 schedule+0xabc beta+0 0x10 0\n";
inline const std::string mixed_compact =
    "alpha+0x10 schedule+0xabc beta+0 ??+0 ??+0 \n";

inline void
append(void *arg, const char *text, size_t len)
{
	static_cast<std::string *>(arg)->append(text, len);
}

inline std::string
printed(void (*print)(const struct stack *), const struct stack &st)
{
	std::string text;
	stack9_set_print(append, &text);
	stack9_set_ddb_print(append, &text);
	print(&st);
	stack9_set_print(nullptr, nullptr);
	stack9_set_ddb_print(nullptr, nullptr);
	return text;
}

template <class F> std::string
in_sbuf(F print)
{
	struct sbuf *sb = sbuf_new_auto();
	print(sb);
	BOOST_TEST(sbuf_finish(sb) == 0);
	const std::string text(sbuf_data(sb), sbuf_len(sb));
	sbuf_delete(sb);
	return text;
}

inline std::string
flagged(const struct stack &st, int flags, enum stack_sbuf_fmt format,
    int expected = 0)
{
	return in_sbuf([&](struct sbuf *sb) {
		BOOST_TEST(stack_sbuf_print_flags(sb, &st, flags, format) ==
		    expected);
	});
}
