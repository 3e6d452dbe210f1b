// Tests which rules the table of rules keeps.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <memory>
#include <vector>

#include "unwind/table.h"

namespace u = stack9::unwind;
using boost::unit_test::description;

namespace {

struct kept {
	const std::unique_ptr<u::rule_table> table =
	    std::make_unique<u::rule_table>();

	static std::uint64_t
	key(std::uintptr_t lookup)
	{
		return u::rule_table::key_of(1, lookup);
	}
	bool
	has(std::uintptr_t lookup) const
	{
		u::rule r;
		const u::rule_table::entry *const e = table->find(key(lookup));
		return e != nullptr && e->get(key(lookup), r) &&
		    r.kind() == u::kind::end;
	}
};

// A function has seldom more calls in one cache line of code.
constexpr std::uintptr_t line = 64, most = 8;

} // namespace

BOOST_AUTO_TEST_SUITE(rules_kept)

BOOST_AUTO_TEST_CASE(calls_close_together,
    *description("a rule is computed once: the table keeps those of eight "
    "calls in 64 bytes of code"))
{
	kept k;
	for (std::uintptr_t at = 0x401000; at < 0x402000; at += line)
		for (std::uintptr_t i = 0; i < most; i++)
			BOOST_REQUIRE(k.table->keep(k.key(at + 5 * i),
			    u::kind::end) != nullptr);
	for (std::uintptr_t at = 0x401000; at < 0x402000; at += line)
		for (std::uintptr_t i = 0; i < most; i++)
			BOOST_TEST(k.has(at + 5 * i), at + 5 * i);
	BOOST_TEST(k.table->evicted() == 0u);
}

BOOST_AUTO_TEST_CASE(too_many_calls,
    *description("a rule that finds no room replaces another, and each of many "
    "can be found as soon as it is kept"))
{
	kept k;
	constexpr std::uintptr_t at = 0x401000;
	for (std::uintptr_t i = 0; i < line; i++) {
		BOOST_REQUIRE(k.table->keep(k.key(at + i), u::kind::end) !=
		    nullptr);
		BOOST_TEST(k.has(at + i));
	}
	unsigned long still = 0;
	for (std::uintptr_t i = 0; i < line; i++)
		still += k.has(at + i);
	BOOST_TEST(still >= most);
	BOOST_TEST(k.table->evicted() == line - still);
}

BOOST_AUTO_TEST_SUITE_END()
