// Tests that the rules that are made in one pass are those of the rows.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <random>

#include "unwind/cfi_rules.h"

#include "cfi_section.h"

namespace u = stack9::unwind;
using made::bytes;

namespace {

// Instructions as compilers write them, and some that they do not.
bytes
any_program(std::mt19937 &random)
{
	bytes program;
	int open = 0;
	const auto byte = [&](unsigned int most) {
		return static_cast<std::uint8_t>(random() % most);
	};
	for (int n = 0; n < 60; n++)
		switch (random() % 9) {
		case 0:
		case 1:
			program.push_back(0x41 + byte(6));
			break;
		case 2:
			program.add(bytes{0x0e, static_cast<std::uint8_t>(
			    8 + 8 * byte(8))});
			break;
		case 3:
			program.add(bytes{static_cast<std::uint8_t>(0x80 +
			    u::register_fp), static_cast<std::uint8_t>(
			    2 + byte(3))});
			break;
		case 4:
			program.add(bytes{static_cast<std::uint8_t>(0xc0 +
			    u::register_fp)});
			break;
		case 5:
			program.push_back(0x0a);
			open++;
			break;
		case 6:
			if (open-- > 0)
				program.push_back(0x0b);
			else
				open = 0;
			break;
		case 7:
			program.add(bytes{0x0c, static_cast<std::uint8_t>(
			    random() % 2 != 0 ? u::register_fp :
			    u::register_sp), 16});
			break;
		default:
			program.add(bytes{0x02, byte(4)});
		}
	return program;
}

} // namespace

BOOST_AUTO_TEST_CASE(rules_of_a_whole_function_are_those_of_its_rows)
{
	std::mt19937 random(15);
	unsigned int compared = 0;
	for (int n = 0; n < 500; n++) {
		made::section s;
		const std::size_t fde = s.add(s.add(made::cie()),
		    any_program(random));
		u::function_rules all;
		BOOST_TEST(u::programs_size(s.view(), fde) > 0u);
		if (!u::rules_of_fde(s.view(), fde, all))
			continue;
		for (std::uintptr_t pc = made::function;
		    pc < made::function + made::function_size; pc++) {
			u::row r;
			if (u::row_of_fde(s.view(), fde, pc, r) !=
			    u::found::yes)
				continue;
			BOOST_REQUIRE(all.covers(pc));
			BOOST_REQUIRE((all.at(pc) == u::rule_of_row(r, pc)));
			compared++;
		}
	}
	BOOST_TEST(compared > 50000u);
}

BOOST_AUTO_TEST_CASE(a_function_of_a_signal_has_no_rules_made)
{
	made::section s;
	made::cie c;
	c.letters = "zRS";
	const std::size_t fde = s.add(s.add(c), {0x41});
	u::function_rules all;
	BOOST_TEST(!u::rules_of_fde(s.view(), fde, all));
	BOOST_TEST(!u::rules_of_fde(s.view(), 3, all));
	BOOST_TEST(u::programs_size(s.view(), 3) == 0u);
}

// DW_CFA_set_loc may go back, and then more than one row is of an address.
BOOST_AUTO_TEST_CASE(a_function_that_goes_back_has_no_rules_made)
{
	for (const std::uintptr_t at : {0x20u, 0x08u}) {
		made::section s;
		made::cie c;
		c.augmentation = {0x00};	// addresses as they are
		bytes program{0x40 + 0x10, 0x0e, 32, 0x01};
		program.number<std::uint64_t>(made::function + at);
		program.add(bytes{0x0e, 48});
		const std::size_t fde = s.add(s.add(c), program, 0x00);
		u::function_rules all;
		BOOST_TEST(u::rules_of_fde(s.view(), fde, all) == (at > 0x10));
	}
}
