// Tests that the rules of a stretch of code are those of its addresses, over
// the code that this process has mapped.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstdlib>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <unistd.h>

#include "core/seam/space.h"
#include "process/space.h"

BOOST_AUTO_TEST_SUITE(code_rules)

namespace {

constexpr std::uint32_t step = 64 * 4096;

// One part of so many is compared.
const std::uint32_t parts = std::getenv("STACK9_LONG") != nullptr ? 1 : 32;

struct tally {
	std::uint64_t	addresses = 0, told = 0, differ = 0, out_of_order = 0;
};

// The rules of single addresses are asked for as return addresses, and so the
// byte before is looked up; the first pc is exact.
void
compare(stack9_space &space, std::uintptr_t from, std::uint32_t size, tally &t)
{
	std::vector<stack9::rule_run> runs;
	BOOST_REQUIRE(stack9::code_rules(space, from, size, runs));
	std::vector<std::uintptr_t> pcs(size);
	std::vector<std::uint32_t> rules(size);
	for (std::uint32_t i = 0; i < size; i++)
		pcs[i] = from + i + (i != 0);
	BOOST_REQUIRE(stack9::stack_rules(space, pcs.data(), size,
	    rules.data()));
	constexpr std::uint32_t kinds = 7, signal = 4, absent = 7;
	constexpr std::uint32_t by_code = absent |
	    stack9::absent_by_code << 17;
	bool exact = true;
	std::size_t run = 0;
	for (std::uint32_t i = 0; i < size; i++) {
		while (run + 1 < runs.size() && runs[run + 1].from <= i) {
			run++;
			t.out_of_order += runs[run].from <= runs[run - 1].from;
		}
		// After a signal's frame the pc is exact.
		const bool skipped = exact && i != 0;
		exact = (rules[i] & kinds) == signal;
		if (skipped || runs.empty() || runs[run].rule == 0)
			continue;
		t.told++;
		// A signal's trampoline is one of those that are known by their
		// code.
		t.differ += runs[run].rule == by_code ? (rules[i] & kinds) !=
		    absent && !exact : runs[run].rule != rules[i];
	}
	t.addresses += size;
}

} // namespace

BOOST_AUTO_TEST_CASE(are_those_of_each_address)
{
	const stack9_thread self{getpid(), getpid(), 0};
	stack9_space *opened = nullptr;
	BOOST_REQUIRE(stack9::space_open(self, opened) == 0);
	const stack9::unique_space space(opened);
	tally t;
	space->each_mapping([&](const stack9::process::mapping &m) {
		if (!m.executable || m.writable || m.backing == nullptr)
			return;
		for (auto at = m.start; at < m.end;
		    at += std::uintptr_t{parts} * step)
			compare(*space, at, static_cast<std::uint32_t>(
			    std::min<std::uintptr_t>(step, m.end - at)), t);
	});
	BOOST_TEST_MESSAGE(t.addresses << " addresses, " << t.told << " told");
	BOOST_TEST(t.differ == 0u);
	BOOST_TEST(t.out_of_order == 0u);
	BOOST_TEST(t.told > t.addresses / 2);
}

// The file goes on after some of its mappings.
BOOST_AUTO_TEST_CASE(a_stretch_lies_in_one_mapping)
{
	const stack9_thread self{getpid(), getpid(), 0};
	stack9_space *opened = nullptr;
	BOOST_REQUIRE(stack9::space_open(self, opened) == 0);
	const stack9::unique_space space(opened);
	unsigned int tried = 0;
	space->each_mapping([&](const stack9::process::mapping &m) {
		if (!m.executable || m.backing == nullptr)
			return;
		std::vector<stack9::rule_run> runs;
		const auto last = m.end - 64;
		BOOST_TEST(stack9::code_rules(*space, last, 64, runs));
		BOOST_TEST(!stack9::code_rules(*space, last, 65, runs));
		BOOST_TEST(runs.empty());
		tried++;
	});
	BOOST_TEST(tried > 2u);
}

BOOST_AUTO_TEST_SUITE_END()
