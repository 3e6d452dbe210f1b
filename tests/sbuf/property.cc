// Runs long random scripts: the sbuf and its model never differ.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <random>

#include "script.h"

using namespace stack9_test;

BOOST_AUTO_TEST_SUITE(sbuf_property)

BOOST_AUTO_TEST_CASE(any_calls_give_what_one_byte_at_a_time_gives,
    *boost::unit_test::description("Text is appended to it and never written "
	"past the end of its storage."))
{
	std::mt19937 random(9);
	std::vector<std::uint8_t> bytes;
	const bool whole = std::getenv("STACK9_LONG") != nullptr;
	const unsigned long wanted = whole ? 10'000'000 : 600'000;

	unsigned long calls = 0;
	for (int round = 0; round < 20000 || calls < wanted; round++) {
		bytes.resize(8 + random() % 400);
		for (auto &b : bytes)
			b = static_cast<std::uint8_t>(random());
		script s{std::span<const std::uint8_t>(bytes)};
		duel both(s);
		BOOST_TEST_CONTEXT("round " << round)
		BOOST_REQUIRE_EQUAL(both.run(), "");
		calls += both.steps();
	}
	BOOST_TEST_MESSAGE(calls << " calls");
}

BOOST_AUTO_TEST_SUITE_END()
