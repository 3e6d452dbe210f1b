// Tests that records of older releases are read, and those of later ones are
// refused.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <fstream>
#include <iterator>

#include "made.h"
#include "tools/record/framing.h"
#include "tools/record/messages.h"

using boost::unit_test::description;

// version_1.s9 is what segment(9) gave before there was a version 2.
BOOST_AUTO_TEST_CASE(a_record_of_version_1, *description(
    "Records of older versions are read."))
{
	recording::segment_info info;
	BOOST_REQUIRE(recording::read_info(VERSION_1, info) == 0);
	BOOST_TEST(info.version == 1u);
	const made::reading r = made::read(VERSION_1);
	BOOST_TEST(r.error == 0);
	BOOST_TEST(r.complaints.empty());
	BOOST_TEST(r.what.ticks == 9u);
	BOOST_TEST(r.what.all_are_right);
	BOOST_TEST(r.what.complete == 1u);
}

// Nothing but the number in its head has changed for frames that are addresses.
BOOST_AUTO_TEST_CASE(version_2_differs_in_its_head_alone, *description(
    "Version 2 added language, file and line to a frame."))
{
	std::ifstream file(VERSION_1, std::ios::binary);
	const std::string old(std::istreambuf_iterator<char>(file), {});
	const std::string now = made::segment(9);
	const std::size_t ticks_of_old = old.find("S9R\2");
	const std::size_t ticks_of_now = now.find("S9R\2");
	BOOST_REQUIRE(ticks_of_old != old.npos);
	BOOST_TEST((old.substr(ticks_of_old) == now.substr(ticks_of_now)));
	BOOST_TEST((old != now));
}

BOOST_AUTO_TEST_CASE(a_record_of_a_later_version, *description(
    "A reader refuses a version that is higher than the one it knows."))
{
	recording::segment_info info = made::info(), read;
	info.version = recording::format_version + 1;
	BOOST_TEST(recording::decode(recording::encode(info), read) ==
	    "it is of a later release: its format has version 3");
}
