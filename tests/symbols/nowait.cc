// The lookup for signal handlers: no lock, no heap, little stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>
#include <cerrno>
#include <string>

#include <boost/test/unit_test.hpp>

#include "program.h"

using boost::unit_test::description;

extern "C" char __executable_start, etext;

BOOST_AUTO_TEST_SUITE(nowait)

BOOST_AUTO_TEST_CASE(says_what_the_cached_lookup_says)
{
	// 500 addresses, evenly over this program's text.
	const auto from = reinterpret_cast<std::uintptr_t>(&__executable_start);
	const auto to = reinterpret_cast<std::uintptr_t>(&etext);
	const std::uintptr_t step = (to - from) / 500;
	int named = 0, different = 0;
	for (std::uintptr_t pc = from; pc < to; pc += step) {
		const std::string name = text(stack9::elf_find, pc);
		different += text(stack9::elf_find_nowait, pc) != name;
		different += text(stack9::elf_find_nowait, pc, true) !=
		    text(stack9::elf_find, pc, true);
		named += name.find('+') != name.npos;
	}
	BOOST_TEST(different == 0);
	BOOST_TEST(named > 100);
}

BOOST_AUTO_TEST_CASE(allocates_nothing, *description("no heap"))
{
	BOOST_TEST(probe("malloc") == "ok");
}

BOOST_AUTO_TEST_CASE(works_in_a_segv_handler_inside_malloc,
    *description("async-signal-safe"))
{
	BOOST_TEST(probe("segv") == "ok");
}

BOOST_AUTO_TEST_CASE(keeps_to_its_stack,
    *description("into at most 2 KiB of stack"))
{
	BOOST_TEST(probe("stack") == "ok");
}

BOOST_AUTO_TEST_CASE(takes_no_lock, *description("without lock"))
{
	BOOST_TEST(probe("lock") == "ok");
}

BOOST_AUTO_TEST_SUITE_END()
