// Tests the model's frame: its names, and which frames are the same.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include "malloc_count.h"
#include "tools/model/frame_table.h"
#include "tools/model/from_library.h"

using boost::unit_test::description;
using tools::frame, tools::frame_kind, tools::precision;

namespace {

frame
user(const std::string &name, std::uint64_t offset = 0)
{
	frame f;
	f.name = name;
	f.linkage = "_Z" + name;
	f.module = "/usr/bin/shop";
	f.offset = offset;
	return f;
}

std::size_t
different(precision how, const std::vector<frame> &frames)
{
	std::deque<frame> all;
	tools::frame_table table(all, how);
	std::uint64_t pc = 0x1000;
	for (const frame &f : frames)
		table.number(f, pc++);
	return all.size();
}

} // namespace

BOOST_AUTO_TEST_SUITE(model_frames)

BOOST_AUTO_TEST_CASE(a_precision_says_what_differs, *description(
    "a frame is kept once, by the precision that is asked for"))
{
	const std::vector<frame> twice = {user("f", 1), user("f", 2),
	    user("f", 2)};
	BOOST_TEST(different(precision::functions, twice) == 1u);
	BOOST_TEST(different(precision::offsets, twice) == 2u);
	BOOST_TEST(different(precision::addresses, twice) == 3u);
	frame other = user("f");
	other.linkage = "_Z1fi";
	BOOST_TEST(different(precision::functions, {user("f"), other}) == 2u);
}

BOOST_AUTO_TEST_CASE(a_file_is_its_build_id, *description(
    "the same program may have another path in a container"))
{
	frame here = user("f"), there = here, rebuilt = here;
	here.build_id = there.build_id = "abcd";
	there.module = "/run/root/usr/bin/shop";
	rebuilt.build_id = "ef01";
	BOOST_TEST(different(precision::functions, {here, there}) == 1u);
	BOOST_TEST(different(precision::all, {here, there}) == 2u);
	BOOST_TEST(different(precision::functions, {here, rebuilt}) == 2u);
}

BOOST_AUTO_TEST_CASE(what_has_no_name_is_its_address, *description(
    "a frame without a name is told by its address in its file"))
{
	frame one, two;
	one.module = two.module = "/usr/lib/libx.so";
	one.address = 0x1101;
	two.address = 0x1102;
	one.flags = two.flags = tools::frame_in_file;
	BOOST_TEST(different(precision::functions, {one, two, one}) == 2u);
	BOOST_TEST(tools::label(one) == "[libx.so+0x1101]");
	BOOST_TEST(tools::is_nameless(one));
	one.flags = 0;	// in a mapped file that is no ELF image
	BOOST_TEST(tools::label(one) == "0x1101");
}

BOOST_AUTO_TEST_CASE(numbers_are_those_of_the_first, *description(
    "a frame that is known has its number"))
{
	std::deque<frame> all;
	tools::frame_table table(all, precision::functions);
	for (int round = 0; round < 2; round++)
		for (std::uint32_t i = 0; i < 1000; i++)
			BOOST_REQUIRE(table.number(user(std::to_string(i))) ==
			    i);
	BOOST_TEST(all.size() == 1000u);
	BOOST_TEST(table.marker(frame_kind::note, "[no stack]") == 1000u);
	table.clear();
	BOOST_TEST(table.number(user("7")) == 0u);
}

#ifndef SANITIZED
BOOST_AUTO_TEST_CASE(a_known_frame_costs_no_memory, *description(
    "a frame that is known costs no allocation"))
{
	std::deque<frame> all;
	tools::frame_table table(all, precision::addresses);
	const frame long_name = user(std::string(100, 'f'), 7);
	long before = malloc_count;
	table.number(long_name, 0x1000);
	BOOST_TEST(malloc_count != before);
	before = malloc_count;
	const std::uint32_t again = table.number(long_name, 0x1000);
	const long after = malloc_count;
	BOOST_TEST(again == 0u);
	BOOST_TEST(after == before);
}
#endif

BOOST_AUTO_TEST_CASE(the_library_s_frame, *description(
    "of a user frame the address in its file, of the kernel's its own"))
{
	const unsigned char id[] = {0xab, 0x0c};
	stack9_frame f{};
	f.pc = 0x5555;
	f.vaddr = 0x555;
	f.start = 0x5000;
	f.offset = 5;
	f.name = "shop::reserve()";
	f.linkage = "_ZN4shop7reserveEv";
	f.module = "/usr/bin/shop";
	f.file = "shop.cc";
	f.line = 12;
	f.build_id = id;
	f.build_id_size = sizeof id;
	const frame made = tools::from_library(f);
	BOOST_TEST(made.address == 0x555u);
	BOOST_TEST(made.name == f.name);
	BOOST_TEST(tools::linkage_of(made) == f.linkage);
	BOOST_TEST(made.build_id == "ab0c");
	BOOST_TEST(tools::site_of(made, false) == "shop.cc:12");
	f.flags = STACK9_FRAME_KERNEL;
	f.module = "";
	const frame kernel = tools::from_library(f);
	BOOST_TEST(kernel.address == 0x5555u);
	BOOST_TEST(kernel.name == f.linkage);
	BOOST_TEST(kernel.module == "vmlinux");
	BOOST_TEST(tools::kernel_module(kernel) == "");
}

BOOST_AUTO_TEST_SUITE_END()
