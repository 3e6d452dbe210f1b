// Tests what the tables of a segment say at a tick.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include "made.h"
#include "tools/record/segment.h"

using boost::unit_test::description;

// A library is unloaded, and loaded elsewhere.
BOOST_AUTO_TEST_CASE(a_module_that_moves, *description(
    "an address is printed as it was at the tick"))
{
	recording::segment s(made::info());
	recording::tick first = made::tick(0);
	BOOST_REQUIRE(s.add(first) == "");
	s.go_on(first);
	BOOST_TEST(s.base_of(1, 2) == 0x555500000000u);
	recording::tick second = made::tick(1);
	second.bases.push_back({1, 2, 0x7f0000000000});
	second.bases.push_back({1, 1, 0x7e0000000000});
	BOOST_REQUIRE(s.add(second) == "");
	s.go_on(second);
	BOOST_TEST(s.base_of(1, 2) == 0x7f0000000000u);
	BOOST_TEST(s.base_of(1, 1) == 0x7e0000000000u);
	BOOST_TEST(s.base_of(2, 2) == 0u);
}
