// Tests names of functions at the edges of each other, of a fixture of such
// symbols, and of addresses that are not a function's.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "ways.h"

namespace data = boost::unit_test::data;

BOOST_AUTO_TEST_SUITE(elf)

BOOST_DATA_TEST_CASE(edges, data::make(ways), w)
{
	const plugin p(FIXTURES "edges.so");
	const std::uintptr_t base = p.symbol("edge_base");
	const auto at = [&](std::uintptr_t n, bool return_address = false) {
		return text(w.find, base + n, return_address);
	};
	BOOST_TEST(at(0) == "edge_base+0x0");
	BOOST_TEST(at(15) == "edge_base+0xf");
	BOOST_TEST(at(16) == "edge_last+0x0");
	// An address past its end is ENOENT, except the one right after it when
	// nothing starts there.
	BOOST_TEST(at(24) == "edge_last+0x8");
	BOOST_TEST(at(24, true) == "edge_last+0x8");
	BOOST_TEST(at(25) == none);
	BOOST_TEST(at(25, true) == none);
	BOOST_TEST(at(48) == "edge_next+0x0");
	BOOST_TEST(at(48, true) == "edge_tight+0x10");
	BOOST_TEST(at(64) == "edge_sizeless+0x0");
	BOOST_TEST(at(65) == none);
	BOOST_TEST(at(80) == "edge_outer+0x0");
	BOOST_TEST(at(96) == "edge_inner+0x0");
	BOOST_TEST(at(112) == "edge_outer+0x20");
	BOOST_TEST(at(112, true) == "edge_inner+0x10");
}

BOOST_DATA_TEST_CASE(aliases, data::make(ways), w)
{
	const plugin p(FIXTURES "edges.so");
	const std::uintptr_t base = p.symbol("edge_base");
	const auto at = [&](std::uintptr_t n) {
		return text(w.find, base + n);
	};
	BOOST_TEST(at(128) == "edge_alias_global+0x0");
	BOOST_TEST(at(144) == "edge_same+0x0");
	BOOST_TEST(at(168) == "edge_notype+0x8");
	BOOST_TEST(at(177) == none);
	BOOST_TEST(at(193) == "edge_whole+0x1");
	BOOST_TEST(at(207) == "edge_whole+0xf");
	BOOST_TEST(at(208) == "edge_versioned+0x0");
}

BOOST_DATA_TEST_CASE(what_is_no_function_is_enoent, data::make(ways), w)
{
	stack9::symbol_name s, before;
	memset(&s, 0x5a, sizeof(s));
	before = s;
	static int data = 1;
	const auto heap = std::make_unique<int>(1);
	const std::uintptr_t addresses[] = {0, 1, 4096, UINTPTR_MAX,
	    reinterpret_cast<std::uintptr_t>(&s),
	    reinterpret_cast<std::uintptr_t>(heap.get()),
	    reinterpret_cast<std::uintptr_t>(&data)};
	for (std::uintptr_t pc : addresses) {
		BOOST_TEST(w.find(pc, false, s) == ENOENT);
		BOOST_TEST(w.find(pc, true, s) == ENOENT);
	}
	// On failure sym is untouched.
	BOOST_TEST(memcmp(&s, &before, sizeof(s)) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
