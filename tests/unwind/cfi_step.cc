// Tests steps by all that a row can say, on registers and memory made by hand.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include "unwind/full.h"

#include "cfi_memory.h"
#include "cfi_section.h"

namespace u = stack9::unwind;
using made::bytes;
using made::column;

namespace {

constexpr int sp = u::register_sp, fp = u::register_fp;
constexpr int kept = column == 16 ? 3 : 19;	// rbx, x19
constexpr int lost = column == 16 ? 1 : 9;	// rdx, x9
constexpr std::uintptr_t bottom = 0x8000, pc = 0x4000, caller = 0x5000;

// A frame of 32 bytes, whose return address is its uppermost word.
struct stage {
	made::memory	memory{{{bottom, 0x111}, {bottom + 8, 0x222},
	    {bottom + 16, 0x333}, {bottom + 24, caller}}};
	u::registers	regs = made::registers({{u::register_pc, pc},
	    {sp, bottom}, {fp, 0x9000}, {kept, 0x77}, {lost, 0x88}});

	u::outcome
	step(const bytes &program, const made::cie &c = {})
	{
		bytes all = {0x0e, 32};
		return u::full_step(made::row_of(all.add(program), 0, c),
		    memory, regs);
	}

	void
	check_fails(const bytes &program, u::outcome expected)
	{
		const u::registers before = regs;
		BOOST_TEST((step(program) == expected));
		BOOST_TEST(regs.value == before.value);
		BOOST_TEST(regs.known == before.known);
		BOOST_TEST(regs.exact == before.exact);
	}
};

std::uintptr_t
value(const u::registers &r, int number)
{
	return r.value.at(static_cast<std::size_t>(number));
}

} // namespace

BOOST_AUTO_TEST_CASE(a_step_keeps_what_callees_keep_and_forgets_the_rest)
{
	stage s;
	s.regs.exact = true;
	BOOST_REQUIRE(s.step({}) == u::outcome::stepped);
	BOOST_TEST(s.regs.pc() == caller);
	BOOST_TEST(s.regs.sp() == bottom + 32);
	BOOST_TEST(s.regs.fp() == 0x9000);
	BOOST_TEST(value(s.regs, kept) == 0x77);
	BOOST_TEST(!s.regs.knows(lost));
	BOOST_TEST(!s.regs.exact);
	BOOST_TEST(s.regs.lookup() == caller - 1);
	if (column != u::register_pc)
		BOOST_TEST(!s.regs.knows(column));
}

BOOST_AUTO_TEST_CASE(registers_come_from_where_the_row_says)
{
	stage s;
	const std::uint8_t k = kept, l = lost;
	BOOST_REQUIRE(s.step({0x80 + fp, 4, 0x09, k, l, 0x14, l, 1}) ==
	    u::outcome::stepped);
	BOOST_TEST(s.regs.fp() == 0x111);
	BOOST_TEST(value(s.regs, kept) == 0x88);
	BOOST_TEST(value(s.regs, lost) == bottom + 24);
	s = {};		// at CFA - 24; is CFA - 8; kept; lost
	BOOST_REQUIRE(s.step({0x10, k, 2, 0x38, 0x1c, 0x16, l, 2, 0x38, 0x1c,
	    0x07, fp}) == u::outcome::stepped);
	BOOST_TEST(value(s.regs, kept) == caller);
	BOOST_TEST(value(s.regs, lost) == bottom + 24);
	BOOST_TEST(!s.regs.knows(fp));
	s = {};
	BOOST_REQUIRE(s.step({0x08, l}) == u::outcome::stepped);
	BOOST_TEST(value(s.regs, lost) == 0x88);
}

BOOST_AUTO_TEST_CASE(a_cfa_may_be_an_expression_over_memory)
{
	stage s;
	s.memory.words[bottom + 16] = bottom + 32;
	BOOST_REQUIRE(s.step({0x0f, 3, 0x70 + sp, 16, 0x06}) ==
	    u::outcome::stepped);
	BOOST_TEST(s.regs.sp() == bottom + 32);
	BOOST_TEST(s.regs.pc() == caller);
}

BOOST_AUTO_TEST_CASE(a_register_that_cannot_be_read_is_only_unknown)
{
	stage s;
	const std::uint8_t k = kept;
	BOOST_REQUIRE(s.step({0x80 + k, 20}) == u::outcome::stepped);
	BOOST_TEST(!s.regs.knows(kept));
	BOOST_TEST(s.regs.pc() == caller);
}

BOOST_AUTO_TEST_CASE(a_step_that_fails_says_why_and_changes_nothing)
{
	stage s;
	const std::uint8_t ra = column, l = lost + 1;
	s.check_fails({0x07, ra}, u::outcome::end);
	s.check_fails({0x80 + ra, 20}, u::outcome::no_memory);
	s.check_fails({0x0d, l}, u::outcome::no_register);
	s.check_fails({0x09, ra, l}, u::outcome::no_register);
	s.check_fails({0x07, sp}, u::outcome::no_register);
	s.check_fails({0x0f, 1, 0x50}, u::outcome::malformed);
	s.check_fails({0x0f, 3, 0x70 + sp, 0x40, 0x06},
	    u::outcome::no_memory);
	// The end is known even where the CFA is not.
	s.check_fails({0x07, ra, 0x0d, l}, u::outcome::end);
}

BOOST_AUTO_TEST_CASE(a_return_address_of_0_reports_where_the_stack_has_come_to)
{
	stage s;
	const u::registers before = s.regs;
	s.memory.words[bottom + 24] = 0;
	BOOST_TEST((s.step({}) == u::outcome::zero));
	BOOST_TEST(s.regs.sp() == bottom + 32);
	s.regs.set(u::register_sp, before.sp());
	BOOST_TEST(s.regs.value == before.value);
	// A CFA that is not above sp is wrong whatever is there.
	s.memory.words[bottom - 8] = 0;
	s.check_fails({0x0e, 0}, u::outcome::malformed);
}

// By the frame pointer, directly (DW_CFA_def_cfa) or by an expression of it, to
// a caller that has 0 or another value there.
BOOST_AUTO_TEST_CASE(a_frame_pointer_leads_to_the_outermost_frame_only_from_0)
{
	for (const bytes &by_fp : {bytes{0x0c, fp, 16},
	    bytes{0x0f, 2, 0x70 + fp, 16}})
		for (const std::uintptr_t saved : {0, 1}) {
			stage s;
			bytes all = by_fp;
			all.add(bytes{0x80 + fp, 2});
			s.regs.set(fp, bottom + 16);
			s.memory.words[bottom + 16] = saved;
			s.memory.words[bottom + 24] = 0;
			BOOST_TEST((s.step(all) == (saved == 0 ?
			    u::outcome::zero : u::outcome::strayed)));
		}
}

BOOST_AUTO_TEST_CASE(a_stack_has_to_grow_except_out_of_a_signals_frame)
{
	stage s;
	s.memory.words[bottom - 8] = caller;
	s.memory.words[bottom - 40] = caller;
	s.check_fails({0x0e, 0}, u::outcome::malformed);
	s.regs.exact = true;
	s.check_fails({0x0e, 0}, u::outcome::malformed);
	s.check_fails({0x13, 4}, u::outcome::malformed);
	made::cie c;
	c.letters = "zRS";
	BOOST_REQUIRE(s.step({0x13, 4}, c) == u::outcome::stepped);
	BOOST_TEST(s.regs.sp() == bottom - 32);
	BOOST_TEST(s.regs.exact);
	BOOST_TEST(s.regs.lookup() == caller);
}

BOOST_AUTO_TEST_CASE(a_return_address_may_be_in_a_register)
{
	stage s;
	const std::uint8_t ra = column, l = lost, k = kept;
	BOOST_REQUIRE(s.step({0x09, ra, l, 0x09, sp, k}) ==
	    u::outcome::malformed);	// sp does not grow
	s.regs.set(kept, bottom + 64);
	BOOST_REQUIRE(s.step({0x09, ra, l, 0x09, sp, k}) ==
	    u::outcome::stepped);
	BOOST_TEST(s.regs.pc() == 0x88);
	BOOST_TEST(s.regs.sp() == bottom + 64);
}

BOOST_AUTO_TEST_CASE(a_leaf_function_returns_by_the_link_register)
{
	stage s;
	made::cie c;
	c.program = {0x0c, sp, 0};
	s.regs.exact = true;
	if (column == u::register_pc) {		// this CPU has none
		BOOST_TEST((s.step({0x0e, 0}, c) == u::outcome::malformed));
		return;
	}
	s.regs.set(column, caller);
	BOOST_REQUIRE(s.step({0x0e, 0}, c) == u::outcome::stepped);
	BOOST_TEST(s.regs.pc() == caller);
	BOOST_TEST(s.regs.sp() == bottom);
	// It does not do so twice.
	BOOST_TEST((s.step({0x0e, 0}, c) == u::outcome::no_register));
}
