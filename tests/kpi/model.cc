// Prints random stacks, in every format and through sbufs of all kinds, and
// compares them with a model that makes the text of FreeBSD's pages by itself.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "printing.h"

#include <cstdio>
#include <cstdlib>
#include <random>

#include <stack9/sys/malloc.h>

namespace {

// The name of an address and its offset; false: it has none.
bool
find(vm_offset_t pc, std::string &name, unsigned long &offset)
{
	for (const fake::symbol &s : table)
		if (pc >= s.start && pc - s.start < s.size) {
			name = s.name;
			offset = pc - s.start;
			return true;
		}
	return false;
}

// C's %#lx, and the kernel's %p without its (nil).
std::string
hex(unsigned long n)
{
	char text[32];
	std::snprintf(text, sizeof text, n != 0 ? "0x%lx" : "0", n);
	return text;
}

enum form { long_form, short_form, compact_form, ddb_form, short_ddb_form };

std::string
frame(unsigned int i, vm_offset_t pc, form f)
{
	std::string name;
	unsigned long offset = 0;
	const bool known = find(pc, name, offset);
	const bool bare = f == short_form || f == short_ddb_form;
	if (f != ddb_form && f != short_ddb_form)
		name.resize(std::min<std::size_t>(name.size(), 63));
	const std::string named = known ? name + "+" + hex(offset) :
	    bare ? hex(pc) : "??+0";
	return f == long_form || f == ddb_form ?
	    "#" + std::to_string(i) + " " + hex(pc) + " at " + named : named;
}

std::string
expected(const struct stack &st, form f)
{
	std::string text;
	for (int i = 0; i < st.depth; i++) {
		if (i > 0 && (f == short_form || f == short_ddb_form))
			text += " ";
		text += frame(static_cast<unsigned int>(i), st.pcs[i], f);
		text += f == long_form || f == ddb_form ? "\n" :
		    f == compact_form ? " " : "";
	}
	if (f == short_form || f == short_ddb_form)
		text += "\n";
	return text;
}

struct stack
random_stack(std::mt19937 &random)
{
	struct stack st{};
	for (unsigned int n = random() % (STACK_MAX + 3); n > 0; n--) {
		const fake::symbol &s = table[random() % std::size(table)];
		vm_offset_t pc = s.start + random() % (s.size + s.size / 8);
		if (random() % 8 == 0)
			pc = random() % 2 == 0 ? 0 : random();
		const bool full = st.depth == STACK_MAX;
		BOOST_REQUIRE_EQUAL(stack_put(&st, pc), full ? -1 : 0);
	}
	return st;
}

int
collect(void *arg, const char *data, int len)
{
	static_cast<std::string *>(arg)->append(data,
	    static_cast<std::size_t>(len));
	return len;
}

// Prints after the text "begun" into storage of a random size that is drained
// or not.  Text that does not fit is cut, and then nothing more comes.
void
into_sbuf(std::mt19937 &random, const struct stack &st, form f)
{
	std::string begun = random() % 2 == 0 ? "begun" : "";
	std::string got;
	char storage[512];
	struct sbuf sb;
	const int size = 2 + static_cast<int>(random() % 500);
	const bool drained = random() % 2 == 0;

	sbuf_new(&sb, storage, size, SBUF_FIXEDLEN);
	if (drained)
		sbuf_set_drain(&sb, collect, &got);
	sbuf_cat(&sb, begun.c_str());
	std::string wanted = begun + expected(st, f);
	if (f == long_form && random() % 2 == 0)
		stack_sbuf_print(&sb, &st);
	else if (f == ddb_form)
		stack_sbuf_print_ddb(&sb, &st);
	else
		stack_sbuf_print_flags(&sb, &st, random() % 2 == 0 ? M_WAITOK :
		    M_NOWAIT, f == long_form ? STACK_SBUF_FMT_LONG :
		    STACK_SBUF_FMT_COMPACT);
	if (f != ddb_form && !wanted.empty() && wanted.back() != '\n')
		wanted += "\n";
	const int error = sbuf_finish(&sb);
	if (!drained) {
		got = sbuf_data(&sb);
		const auto room = static_cast<std::size_t>(size - 1);
		BOOST_REQUIRE_EQUAL(error, wanted.size() > room ? ENOMEM : 0);
		wanted.resize(std::min(wanted.size(), room));
	}
	BOOST_REQUIRE_EQUAL(got, wanted);
	sbuf_delete(&sb);
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(stack_model, with_symbols)

BOOST_AUTO_TEST_CASE(random_stacks_print_what_the_pages_say)
{
	std::mt19937 random(13);
	const int count = std::getenv("STACK9_LONG") != nullptr ? 100'000 :
	    5'000;

	for (int i = 0; i < count; i++) {
		const struct stack st = random_stack(random);
		BOOST_TEST_CONTEXT("stack " << i) {
			BOOST_REQUIRE_EQUAL(printed(stack_print, st),
			    expected(st, long_form));
			BOOST_REQUIRE_EQUAL(printed(stack_print_short, st),
			    expected(st, short_form));
			BOOST_REQUIRE_EQUAL(printed(stack_print_ddb, st),
			    expected(st, ddb_form));
			BOOST_REQUIRE_EQUAL(printed(stack_print_short_ddb, st),
			    expected(st, short_ddb_form));
			for (form f : {long_form, compact_form, ddb_form})
				into_sbuf(random, st, f);
		}
	}
}

BOOST_AUTO_TEST_SUITE_END()
