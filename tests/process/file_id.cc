// Tests the numbers of files, as they come around.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <memory>

#include "process/file_id.h"

BOOST_AUTO_TEST_SUITE(file_id)

BOOST_AUTO_TEST_CASE(a_number_is_not_given_out_twice)
{
	const auto ids = std::make_unique<stack9::process::file_ids>();
	int forgotten = 0;
	const auto take = [&] { return ids->take([&] { forgotten++; }); };
	for (unsigned int n = 1; n < 65536; n++)
		BOOST_REQUIRE(take() == n);
	BOOST_TEST(take() == 0);
	BOOST_TEST(forgotten == 2);
	ids->give_back(77);
	// It was in use when all was forgotten, and may have been used since.
	BOOST_TEST(take() == 77);
	BOOST_TEST(forgotten >= 3);
}

BOOST_AUTO_TEST_CASE(what_was_in_use_at_the_turn_waits_for_the_next)
{
	const auto ids = std::make_unique<stack9::process::file_ids>();
	int forgotten = 0;
	const auto take = [&] { return ids->take([&] { forgotten++; }); };
	for (unsigned int n = 1; n < 65536; n++) {
		BOOST_REQUIRE(take() == n);
		if (n != 5)
			ids->give_back(static_cast<std::uint16_t>(n));
	}
	BOOST_TEST(take() == 1);
	BOOST_TEST(forgotten == 1);
	ids->give_back(5);
	for (const unsigned int n : {2, 3, 4, 6, 7})
		BOOST_TEST(take() == n);
}

BOOST_AUTO_TEST_SUITE_END()
