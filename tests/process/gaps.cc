// Tests which rules a stretch of code gets where no unwind information
// describes it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <unistd.h>

#include "child.h"
#include "core/seam/space.h"
#include "process/space.h"
#include "unwind/rule.h"

// A function that nothing describes, and one that is outermost.  A thread
// that planted its address as a return address has the byte before it looked
// up.
asm(R"(
	.text
	.p2align 6
gaps_before:
	.cfi_startproc
	ret
	.cfi_endproc
	.p2align 4
gaps_bare:
	push	%rbp
	mov	%rsp, %rbp
	call	*%rdi
gaps_behind_call:
	nop
	leave
	ret
	.skip	16, 0x90
gaps_planted:
	.cfi_startproc
	.cfi_undefined rip
	call	*%rdi
	hlt
	.cfi_endproc
	.p2align 3
gaps_after:
	.cfi_startproc
	ret
	.cfi_endproc
)");
extern "C" const char gaps_before[], gaps_bare[], gaps_behind_call[],
    gaps_planted[], gaps_after[];

namespace {

using stack9::unwind::kind;
using stack9::unwind::rule;

constexpr std::uint32_t page = 4096;
const std::uint32_t by_code = rule(kind::absent, 0,
    stack9::absent_by_code).bits();

std::uintptr_t
number(const char *at)
{
	return reinterpret_cast<std::uintptr_t>(at);
}

stack9::unique_space
space_of(const stack9_thread &who)
{
	stack9_space *opened = nullptr;
	BOOST_REQUIRE(stack9::space_open(who, opened) == 0);
	return stack9::unique_space(opened);
}

stack9::unique_space
own_space()
{
	return space_of({getpid(), getpid(), 0});
}

// The rule that a stretch of this process has for an address.
std::uint32_t
rule_at(stack9_space &space, std::uintptr_t at, std::uintptr_t from,
    std::uint32_t size)
{
	std::vector<stack9::rule_run> runs;
	BOOST_REQUIRE(stack9::code_rules(space, from, size, runs));
	const auto behind = std::find_if(runs.begin(), runs.end(),
	    [&](const stack9::rule_run &r) { return r.from > at - from; });
	BOOST_REQUIRE(behind != runs.begin());
	return behind[-1].rule;
}

std::uint32_t
rule_at(const char *at)
{
	const auto space = own_space();
	return rule_at(*space, number(at), number(at) & ~(page - 1ul), page);
}

std::uint32_t
rule_of_return(const char *pc)
{
	const std::uintptr_t pcs[] = {number(gaps_before), number(pc)};
	std::uint32_t rules[2];
	const auto space = own_space();
	BOOST_REQUIRE(stack9::stack_rules(*space, pcs, 2, rules));
	return rules[1];
}

// Counts the runs of the program's own code whose rule is by_code.
std::size_t
gaps_of(const std::string &name)
{
	child c({program(name)});
	BOOST_REQUIRE(c.says("ready"));
	const auto space = space_of(c.thread());
	std::size_t many = 0;
	space->each_mapping([&](const stack9::process::mapping &m) {
		std::vector<stack9::rule_run> runs;
		if (!m.executable || m.path != program(name))
			return;
		BOOST_REQUIRE(stack9::code_rules(*space, m.start,
		    static_cast<std::uint32_t>(m.end - m.start), runs));
		many += static_cast<std::size_t>(std::count_if(runs.begin(),
		    runs.end(), [](const stack9::rule_run &r) {
			return r.rule == by_code;
		    }));
	});
	return many;
}

} // namespace

BOOST_AUTO_TEST_SUITE(gaps)

BOOST_AUTO_TEST_CASE(code_that_nothing_describes_reports_by_itself)
{
	for (const char *at = gaps_bare; at < gaps_planted - 1; at++)
		BOOST_TEST(rule_at(at) == by_code);
	BOOST_TEST(rule_of_return(gaps_behind_call) == rule(kind::absent, 0,
	    stack9::absent_called | stack9::absent_exact).bits());
}

BOOST_AUTO_TEST_CASE(the_byte_before_an_outermost_function_does_not)
{
	BOOST_TEST(rule_at(gaps_planted - 1) == 0u);
	BOOST_TEST((rule(rule_of_return(gaps_planted)).kind() == kind::end));
	BOOST_TEST((rule(rule_at(gaps_planted)).kind() == kind::end));
	// The function may be the first one of another stretch.
	const auto space = own_space();
	const std::uintptr_t end = number(gaps_planted);
	BOOST_TEST(rule_at(*space, end - 1, end - 32, 32) == 0u);
	BOOST_TEST(rule_at(*space, end - 2, end - 32, 32) == by_code);
}

BOOST_AUTO_TEST_CASE(padding_does_not)
{
	BOOST_TEST(rule_at(gaps_after - 1) == 0u);
	BOOST_TEST(rule_at(gaps_after - 2) == 0u);
}

BOOST_AUTO_TEST_CASE(code_that_debug_frame_may_describe_does_not)
{
	BOOST_TEST(gaps_of("debug_frame") == 0u);
	BOOST_TEST(gaps_of("fp_only") > 0u);
}

BOOST_AUTO_TEST_SUITE_END()
