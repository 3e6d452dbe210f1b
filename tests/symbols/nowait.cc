// The lookup for signal handlers: no lock, no heap, little stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include <sys/resource.h>

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
		// Before the other lookup, whose names it remembers.
		const std::string nowait = text(stack9::elf_find_nowait, pc);
		const std::string caller =
		    text(stack9::elf_find_nowait, pc, true);
		const std::string name = text(stack9::elf_find, pc);
		different += nowait != name;
		different += caller != text(stack9::elf_find, pc, true);
		different += text(stack9::elf_find_nowait, pc) != name;
		named += name.find('+') != name.npos;
	}
	BOOST_TEST(different == 0);
	BOOST_TEST(named > 100);
}

// Without a descriptor no file can be read.
BOOST_AUTO_TEST_CASE(remembers_names_without_the_file, *description(
    "A name of up to 319 bytes that was found before comes from a cache, "
    "without a system call."))
{
	const auto pc = reinterpret_cast<std::uintptr_t>(&std::atoi);
	const auto other = reinterpret_cast<std::uintptr_t>(&std::atol);
	const std::string name = text(stack9::elf_find, pc + 1);
	rlimit limit;
	getrlimit(RLIMIT_NOFILE, &limit);
	const rlimit none{0, limit.rlim_max};
	setrlimit(RLIMIT_NOFILE, &none);
	const std::string again = text(stack9::elf_find_nowait, pc + 1);
	const std::string unknown = text(stack9::elf_find_nowait, other + 1);
	setrlimit(RLIMIT_NOFILE, &limit);
	BOOST_TEST(again == name);
	BOOST_TEST(unknown != text(stack9::elf_find, other + 1));
	// A failure for want of a descriptor is not remembered.
	BOOST_TEST(text(stack9::elf_find_nowait, other + 1) ==
	    text(stack9::elf_find, other + 1));
}

// Some of these are of one module; one is known, one has no name, and one
// is of the kernel.  AddressSanitizer has no a64l() of its own.
BOOST_AUTO_TEST_CASE(learns_the_names_of_a_stack_together)
{
	const std::uintptr_t pcs[] = {
		reinterpret_cast<std::uintptr_t>(&::a64l) + 1,
		reinterpret_cast<std::uintptr_t>(&__executable_start),
		reinterpret_cast<std::uintptr_t>(&std::strtoul) + 1,
		0xffffffff81000001,
		reinterpret_cast<std::uintptr_t>(&std::bsearch) + 1,
		reinterpret_cast<std::uintptr_t>(&std::strtoll) + 1,
		reinterpret_cast<std::uintptr_t>(&std::ldiv) + 1,
		reinterpret_cast<std::uintptr_t>(&std::lldiv) + 1,
		reinterpret_cast<std::uintptr_t>(&std::strtod) + 1,
		reinterpret_cast<std::uintptr_t>(&std::strtof) + 1,
		reinterpret_cast<std::uintptr_t>(&::a64l) + 1,
		16,
	};
	text(stack9::elf_find_nowait, pcs[2]);
	errno = 4711;
	stack9::elf_learn_nowait(pcs, false);
	BOOST_TEST(errno == 4711);
	rlimit limit;
	getrlimit(RLIMIT_NOFILE, &limit);
	const rlimit none{0, limit.rlim_max};
	setrlimit(RLIMIT_NOFILE, &none);
	std::vector<std::string> found;
	for (const std::uintptr_t pc : pcs)
		found.push_back(text(stack9::elf_find_nowait, pc));
	setrlimit(RLIMIT_NOFILE, &limit);
	for (std::size_t i = 0; i < found.size(); i++)
		BOOST_TEST(found[i] == text(stack9::elf_find, pcs[i]));
	BOOST_TEST(found[0].starts_with("a64l+"));
	stack9::elf_learn_nowait({}, false);
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
