// Tests the order of records that are read while their writer changes its CPU.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <vector>

#include "backends/linux-events/watch/time_order.h"

BOOST_AUTO_TEST_SUITE(event_time_order)

namespace {

using boost::unit_test::description;
using stack9::events::time_order;

struct record {
	std::uint64_t	when;
	int		number;
};

std::vector<int>
taken_until(time_order<record> &from, std::uint64_t when)
{
	std::vector<int> numbers;
	from.take_until(when, [&](const record &r) {
		numbers.push_back(r.number);
	});
	return numbers;
}

} // namespace

// The first CPU's buffer was read at 10, and the second one's at 20.  The
// record of 14 was written on the first in between.
BOOST_AUTO_TEST_CASE(none_comes_before_one_that_is_older, *description(
    "the mappings are in the order of their calls on whatever CPUs these were"))
{
	time_order<record> order;
	order.add({8, 1});
	order.add({16, 3});
	order.add({5, 0});
	BOOST_TEST(taken_until(order, 10) == (std::vector<int>{0, 1}));
	order.add({14, 2});
	order.add({30, 4});
	BOOST_TEST(taken_until(order, 20) == (std::vector<int>{2, 3}));
	BOOST_TEST(taken_until(order, 30) == (std::vector<int>{4}));
	BOOST_TEST(taken_until(order, 40).empty());
}

BOOST_AUTO_TEST_CASE(records_of_one_time_keep_their_order, *description(
    "two records of the same nanosecond stay in the order they were read in"))
{
	time_order<record> order;
	for (int i = 0; i < 100; i++)
		order.add({std::uint64_t(i % 2), i / 2});
	const std::vector<int> all = taken_until(order, 1);
	BOOST_REQUIRE(all.size() == 100);
	for (int i = 0; i < 50; i++)
		BOOST_TEST((all[i] == i && all[50 + i] == i));
}

BOOST_AUTO_TEST_SUITE_END()
