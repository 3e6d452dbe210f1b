// Tests DWARF expressions, operation by operation.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <limits>

#include "unwind/expression.h"

#include "cfi_memory.h"
#include "cfi_section.h"

namespace u = stack9::unwind;
using made::bytes;

namespace {

u::outcome
evaluate(const bytes &expression, std::uintptr_t &value,
    std::optional<std::uintptr_t> pushed = {})
{
	made::memory memory({{0x1000, 0x1122334455667788}});
	const u::registers regs = made::registers({{3, 0x2000},
	    {u::register_sp, 0x1000}});
	return u::evaluate(std::as_bytes(std::span(expression)), regs, memory,
	    pushed, value);
}

void
check(const bytes &expression, std::uintptr_t expected)
{
	std::uintptr_t value = 0;
	BOOST_TEST((evaluate(expression, value) == u::outcome::stepped));
	BOOST_TEST(value == expected);
}

void
check_fails(const bytes &expression, u::outcome expected)
{
	std::uintptr_t value = 0;
	BOOST_TEST((evaluate(expression, value) == expected));
}

// lit a, lit b, the operation.
void
check_binary(std::uint8_t operation, std::uint8_t a, std::uint8_t b,
    std::uintptr_t expected)
{
	check({0x08, a, 0x08, b, operation}, expected);
}

constexpr auto minus_one = ~std::uintptr_t{0};

} // namespace

BOOST_AUTO_TEST_CASE(constants_have_every_size)
{
	check({0x30}, 0);
	check({0x4f}, 31);
	check({0x08, 0xfe}, 0xfe);
	check({0x09, 0xff}, minus_one);
	check({0x0a, 0xfe, 0xff}, 0xfffe);
	check({0x0b, 0xff, 0xff}, minus_one);
	check({0x0c, 1, 2, 3, 0x84}, 0x84030201);
	check({0x0d, 0xff, 0xff, 0xff, 0xff}, minus_one);
	check({0x0e, 1, 2, 3, 4, 5, 6, 7, 8}, 0x0807060504030201);
	check({0x0f, 1, 2, 3, 4, 5, 6, 7, 0x88}, 0x8807060504030201);
	check({0x10, 0x80, 0x01}, 128);
	check({0x11, 0x7f}, minus_one);
}

BOOST_AUTO_TEST_CASE(registers_are_added_to)
{
	check({0x73, 0x10}, 0x2010);
	check({0x73, 0x7f}, 0x1fff);
	check({0x92, 3, 0x08}, 0x2008);
	check_fails({0x74, 0}, u::outcome::no_register);
	check_fails({0x92, 0xff, 0x7f, 0}, u::outcome::no_register);
}

BOOST_AUTO_TEST_CASE(memory_is_read_in_every_size)
{
	const std::uint8_t sp = 0x70 + u::register_sp;
	check({sp, 0, 0x06}, 0x1122334455667788);
	check({sp, 4, 0x94, 4}, 0x11223344);
	check({sp, 0, 0x94, 1}, 0x88);
	check_fails({sp, 0, 0x94, 9}, u::outcome::malformed);
	check_fails({sp, 0, 0x94, 0}, u::outcome::malformed);
	check_fails({0x73, 0, 0x06}, u::outcome::no_memory);
}

BOOST_AUTO_TEST_CASE(the_stack_is_turned_over)
{
	check({0x31, 0x12, 0x22}, 2);			// dup, plus
	check({0x31, 0x32, 0x13}, 1);			// drop
	check({0x31, 0x32, 0x14}, 1);			// over
	check({0x31, 0x32, 0x33, 0x15, 2}, 1);		// pick
	check({0x35, 0x32, 0x16, 0x1c}, minus_one - 2);	// swap, minus: 2 - 5
	// rot: 1 2 3 is 3 1 2 then, of which 2 is the top.
	check({0x31, 0x32, 0x33, 0x17}, 2);
	check({0x31, 0x32, 0x33, 0x17, 0x13}, 1);
	check({0x31, 0x32, 0x33, 0x17, 0x13, 0x13}, 3);
	for (const bytes &e : {bytes{}, bytes{0x13}, bytes{0x12}, bytes{0x06},
	    bytes{0x31, 0x22}, bytes{0x31, 0x15, 1}, bytes{0x31, 0x32, 0x17}})
		check_fails(e, u::outcome::malformed);
	check_fails(bytes(65, 0x31), u::outcome::malformed);
	check(bytes(64, 0x31), 1);
}

BOOST_AUTO_TEST_CASE(arithmetic_is_that_of_words)
{
	check_binary(0x1a, 12, 10, 8);
	check_binary(0x1b, 12, 5, 2);
	check_binary(0x1c, 1, 2, minus_one);
	check_binary(0x1d, 12, 5, 2);
	check_binary(0x1e, 12, 5, 60);
	check_binary(0x21, 12, 3, 15);
	check_binary(0x22, 12, 5, 17);
	check_binary(0x24, 3, 4, 48);
	check_binary(0x24, 3, 64, 0);
	check_binary(0x25, 48, 4, 3);
	check_binary(0x27, 12, 10, 6);
	check({0x31, 0x23, 0x80, 0x01}, 129);
	check({0x09, 0xf8, 0x35, 0x1b}, minus_one);	// -8 / 5
	check({0x09, 0xf8, 0x31, 0x26}, minus_one - 3);	// -8 >> 1
	check({0x09, 0xf8, 0x08, 200, 0x26}, minus_one);
	check({0x09, 0xf8, 0x19}, 8);
	check({0x31, 0x1f}, minus_one);
	check({0x30, 0x20}, minus_one);
	check({0x96, 0x31, 0x96}, 1);
	check_fails({0x31, 0x30, 0x1b}, u::outcome::malformed);
	check_fails({0x31, 0x30, 0x1d}, u::outcome::malformed);
	bytes smallest = {0x0f};
	smallest.number(std::numeric_limits<std::int64_t>::min());
	smallest.add(bytes{0x09, 0xff, 0x1b});
	check(smallest, std::uintptr_t{1} << 63);
}

BOOST_AUTO_TEST_CASE(comparisons_are_signed)
{
	// -1 against 1, 1 against -1, 1 against 1.
	const struct { std::uint8_t what; int expected[3]; } all[] = {
		{0x29, {0, 0, 1}}, {0x2a, {0, 1, 1}}, {0x2b, {0, 1, 0}},
		{0x2c, {1, 0, 1}}, {0x2d, {1, 0, 0}}, {0x2e, {1, 1, 0}},
	};
	for (const auto &[what, expected] : all) {
		const auto value = [](int n) {
			return static_cast<std::uintptr_t>(n);
		};
		check({0x09, 0xff, 0x31, what}, value(expected[0]));
		check({0x31, 0x09, 0xff, what}, value(expected[1]));
		check({0x31, 0x31, what}, value(expected[2]));
	}
}

BOOST_AUTO_TEST_CASE(jumps_stay_inside_and_end)
{
	check({0x31, 0x2f, 1, 0, 0x32}, 1);		// over lit2
	check({0x31, 0x30, 0x28, 1, 0, 0x32}, 2);	// not taken
	check({0x31, 0x31, 0x28, 1, 0, 0x32}, 1);	// taken
	check({0x31, 0x2f, 0, 0}, 1);
	// 5 down to 0, backwards.
	check({0x35, 0x31, 0x1c, 0x12, 0x28, 0xfa, 0xff}, 0);
	check_fails({0x31, 0x2f, 0xfd, 0xff}, u::outcome::malformed);
	check_fails({0x31, 0x2f, 1, 0}, u::outcome::malformed);
	check_fails({0x31, 0x2f, 0xf0, 0xff}, u::outcome::malformed);
	check_fails({0x31, 0x2f, 1}, u::outcome::malformed);
}

BOOST_AUTO_TEST_CASE(what_has_no_place_in_a_frame_is_malformed)
{
	// With their operands: without them each would be cut, whatever it is.
	for (const bytes &what : {bytes{0x00}, {0x03, 1, 2, 3, 4, 5, 6, 7, 8},
	    {0x18}, {0x50}, {0x90, 1}, {0x91, 1}, {0x93, 8}, {0x97}, {0x9c},
	    {0xe0}, {0xff}}) {
		bytes all{0x31, 0x31};
		all.insert(all.end(), what.begin(), what.end());
		all.push_back(0x96);	// does nothing
		check_fails(all, u::outcome::malformed);
	}
}

BOOST_AUTO_TEST_CASE(an_expression_may_begin_with_the_cfa)
{
	std::uintptr_t value = 0;
	BOOST_TEST((evaluate({0x23, 8}, value, 0x500) ==
	    u::outcome::stepped));
	BOOST_TEST(value == 0x508);
	BOOST_TEST((evaluate({}, value, 0x500) == u::outcome::stepped));
	BOOST_TEST(value == 0x500);
}
