// Tests what each instruction of call frame information does.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <stdexcept>

#include "cfi_section.h"

namespace u = stack9::unwind;
using made::bytes;
using made::place_of;
using made::row_of;

namespace {

constexpr int some = 3;		// a register

void
check_place(const bytes &program, u::place::how how, std::int64_t number)
{
	const u::row r = row_of(program);
	BOOST_TEST(place_of(r, some).what == how);
	if (how != u::place::same && how != u::place::undefined)
		BOOST_TEST(place_of(r, some).number == number);
}

void
check_cfa(const bytes &program, int number, std::int64_t offset)
{
	const u::row r = row_of(program);
	BOOST_TEST(r.cfa_register == number);
	BOOST_TEST(r.cfa_offset == offset);
}

bool
is_malformed(const bytes &program, std::uintptr_t offset = 0,
    const made::cie &c = {})
{
	u::row r;
	return made::row_at(made::simple(program, c), offset, r) ==
	    u::found::malformed;
}

} // namespace

BOOST_AUTO_TEST_CASE(every_instruction_sets_its_place)
{
	check_place({0x80 + some, 4}, u::place::offset, -32);
	check_place({0x05, some, 4}, u::place::offset, -32);
	check_place({0x11, some, 0x7e}, u::place::offset, 16);
	check_place({0x2f, some, 4}, u::place::offset, 32);
	check_place({0x14, some, 2}, u::place::value_offset, -16);
	check_place({0x15, some, 0x7f}, u::place::value_offset, 8);
	check_place({0x09, some, 5}, u::place::in_register, 5);
	check_place({0x07, some}, u::place::undefined, 0);
	check_place({0x08, some}, u::place::same, 0);
	check_place({0x80 + some, 0x80, 0x01}, u::place::offset, -1024);
}

BOOST_AUTO_TEST_CASE(every_instruction_defines_its_cfa)
{
	check_cfa({0x0c, some, 24}, some, 24);
	check_cfa({0x0d, some}, some, 8);
	check_cfa({0x0e, 0x80, 0x02}, u::register_sp, 256);
	check_cfa({0x12, some, 0x7e}, some, 16);
	check_cfa({0x13, 0x7d}, u::register_sp, 24);
}

BOOST_AUTO_TEST_CASE(what_does_not_concern_a_walk_is_passed)
{
	check_cfa({0x00, 0x2e, 0x90, 0x01, 0x2d, 0x2c, 0x80 + 33, 1,
	    0x05, 0x80, 0x01, 7, 0x0e, 32}, u::register_sp, 32);
}

BOOST_AUTO_TEST_CASE(expressions_are_kept_as_they_are)
{
	const u::row r = row_of({0x0f, 2, 0x77, 8, 0x10, some, 1, 0x30,
	    0x16, some + 1, 3, 0x70, 1, 0x06});

	BOOST_TEST(r.cfa_register == -1);
	BOOST_REQUIRE(r.cfa_expression.size() == 2);
	BOOST_TEST((r.cfa_expression[0] == std::byte{0x77}));
	BOOST_TEST(place_of(r, some).what == u::place::expression);
	BOOST_TEST(place_of(r, some).bytes().size() == 1);
	BOOST_TEST(place_of(r, some + 1).what == u::place::value_expression);
	BOOST_TEST((place_of(r, some + 1).bytes()[2] == std::byte{0x06}));
}

BOOST_AUTO_TEST_CASE(a_register_behind_an_expression_has_the_offset_before)
{
	check_cfa({0x0c, some, 56, 0x0f, 1, 0x50, 0x0d, u::register_sp},
	    u::register_sp, 56);
	BOOST_TEST(is_malformed({0x0f, 1, 0x50, 0x0e, 16}));
	BOOST_TEST(is_malformed({0x0f, 1, 0x50, 0x13, 0x7e}));
}

BOOST_AUTO_TEST_CASE(every_instruction_that_advances_does)
{
	made::cie c;
	c.code_factor = {4};
	const auto check = [&](const bytes &advance, std::uintptr_t by) {
		bytes program = advance;
		program.add(bytes{0x0e, 64});
		BOOST_TEST(row_of(program, by - 1, c).cfa_offset == 8);
		BOOST_TEST(row_of(program, by, c).cfa_offset == 64);
	};

	check({0x45}, 20);
	check({0x02, 7}, 28);
	check({0x03, 8, 0}, 32);
	check({0x04, 9, 0, 0, 0}, 36);
	check({0x1d, 10, 0, 0, 0, 0, 0, 0, 0}, 40);
	c.augmentation = {0x04};	// set_loc is encoded as pointers are
	made::section s;
	s.add(s.add(c), bytes{0x01}.number<std::uint64_t>(made::function + 9)
	    .add(bytes{0x0e, 64}), 0x04);
	u::row r;
	BOOST_REQUIRE(made::row_at(s, 8, r) == u::found::yes);
	BOOST_TEST(r.cfa_offset == 8);
	BOOST_REQUIRE(made::row_at(s, 9, r) == u::found::yes);
	BOOST_TEST(r.cfa_offset == 64);
}

BOOST_AUTO_TEST_CASE(a_restored_register_is_where_the_cie_has_it)
{
	made::cie c;
	c.program = {0x0c, u::register_sp, 8, 0x80 + made::column, 1,
	    0x80 + some, 9};

	for (const bytes &restore : {bytes{0xc0 + some}, bytes{0x06, some}}) {
		bytes program = {0x80 + some, 2, 0x80 + some + 1, 3, 0x41};
		program.add(restore);
		program.add(bytes{0xc0 + some + 1});
		const u::row r = row_of(program, 1, c);
		BOOST_TEST(place_of(r, some).number == -72);
		BOOST_TEST(place_of(r, some + 1).what ==
		    u::place::unspecified);
		BOOST_TEST(place_of(row_of(program, 0, c), some).number ==
		    -16);
	}
	c.program = {0xc0 + some};
	BOOST_TEST(is_malformed({}, 0, c));
}

// A vector register has a number, but no place in a row.
BOOST_AUTO_TEST_CASE(a_restored_register_that_a_row_lacks_changes_nothing)
{
	const u::row without = row_of({});
	for (const int number : {u::register_count, u::register_count + 1,
	    60}) {
		const u::row r = row_of({0x06,
		    static_cast<std::uint8_t>(number)});
		BOOST_TEST(r.begin == without.begin);
		BOOST_TEST(r.end == without.end);
		BOOST_TEST(r.return_column == without.return_column);
		BOOST_TEST(r.cfa_register == without.cfa_register);
		BOOST_TEST(r.cfa_offset == without.cfa_offset);
	}
}

BOOST_AUTO_TEST_CASE(a_remembered_state_comes_back)
{
	// Rows at 0, 1 (remembered), 2, 3 (remembered again), 4, 5 and 6.
	const bytes program = {0x0e, 16, 0x41, 0x0e, 24, 0x80 + some, 3,
	    0x0a, 0x41, 0x0e, 32, 0x80 + some, 4, 0x0a, 0x41, 0x0d, some,
	    0x0e, 40, 0x02, 1, 0x0b, 0x41, 0x0b, 0x41, 0x0e, 48};
	const struct {
		int	reg;
		int	offset, saved;
	} rows[] = {
		{u::register_sp, 16, 0}, {u::register_sp, 24, -24},
		{u::register_sp, 32, -32}, {some, 40, -32},
		{u::register_sp, 32, -32}, {u::register_sp, 24, -24},
		{u::register_sp, 48, -24},
	};

	for (std::uintptr_t at = 0; at < std::size(rows); at++) {
		const u::row r = row_of(program, at);
		BOOST_TEST_CONTEXT("row " << at) {
			BOOST_TEST(r.cfa_register == rows[at].reg);
			BOOST_TEST(r.cfa_offset == rows[at].offset);
			if (rows[at].saved != 0)
				BOOST_TEST(place_of(r, some).number ==
				    rows[at].saved);
		}
	}
	BOOST_TEST(is_malformed({0x0b}));
	BOOST_TEST(is_malformed({0x0a, 0x0b, 0x0b}));
}

BOOST_AUTO_TEST_CASE(states_that_do_not_come_back_are_passed_up_to_a_bound)
{
	bytes program(32, 0x0a);
	program.add(bytes{0x0e, 64});
	BOOST_TEST(row_of(program).cfa_offset == 64);
	program.insert(program.begin(), 0x0a);
	BOOST_TEST(is_malformed(program));
	// Those that come back have none.
	program.assign(5000, 0x0a);
	program.add(bytes(5000, 0x0b));
	program.add(bytes{0x0e, 64});
	BOOST_TEST(row_of(program).cfa_offset == 64);
}

BOOST_AUTO_TEST_CASE(an_instruction_that_is_not_known_is_malformed)
{
	for (unsigned int what = 0x17; what < 0x40; what++) {
		if (what == 0x1d || (what >= 0x2c && what <= 0x2f))
			continue;
		const bytes program = {static_cast<std::uint8_t>(what), 0, 0};
		BOOST_TEST_CONTEXT("instruction " << what) {
			BOOST_TEST(is_malformed(program));
			// Also where a state is only passed.
			bytes passed = {0x0a};
			passed.add(program).push_back(0x0b);
			BOOST_TEST(is_malformed(passed));
		}
	}
	// But nothing after the pc is read.
	BOOST_TEST(row_of({0x41, 0x17}).cfa_offset == 8);
	BOOST_TEST(is_malformed({0x41, 0x17}, 1));
}
