// Tests rows as rules, and what has no unwind information.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cstring>
#include <new>

#include <sys/mman.h>
#include <unistd.h>

#include "unwind/module.h"
#include "unwind/row_here.h"

#include "cfi_section.h"

namespace u = stack9::unwind;
using made::bytes;

namespace {

constexpr int sp = u::register_sp, fp = u::register_fp;

u::rule
rule_of(const bytes &program, std::uintptr_t pc = made::function,
    const made::cie &c = {})
{
	return u::rule_of_row(made::row_of(program, 0, c), pc);
}

void
check(const bytes &program, u::rule expected)
{
	BOOST_TEST(rule_of(program).bits() == expected.bits());
}

} // namespace

#if defined(__x86_64__)

BOOST_AUTO_TEST_CASE(a_row_over_sp_or_fp_is_a_rule)
{
	check({}, {u::kind::sp, 1});
	check({0x0e, 32}, {u::kind::sp, 4});
	check({0x0e, 16, 0x86, 2}, {u::kind::sp, 2, 2});
	check({0x0c, fp, 16, 0x86, 2, 0x83, 3}, {u::kind::fp, 2, 2});
	check({0x0c, fp, 16, 0x08, fp}, {u::kind::fp, 2});
}

BOOST_AUTO_TEST_CASE(the_largest_offsets_of_a_rule_fit)
{
	const auto offsets = [](std::uint64_t cfa, std::uint64_t saved) {
		bytes b = {0x0e};
		return b.uleb(cfa * 8).add(bytes{0x86}.uleb(saved));
	};
	constexpr auto max = u::rule::field_max;
	check(offsets(max, max), {u::kind::sp, max, max});
	check(offsets(max + 1, 1), u::cause::far);
	check(offsets(1, max + 1), u::cause::far);
	check(offsets(std::uint64_t{1} << 61, 1), u::cause::far);
	check(offsets(1, std::uint64_t{1} << 60), u::cause::far);
	check({0x0e, 12}, u::cause::far);
	check({0x0e, 0}, u::cause::far);
	check({0x13, 1}, u::cause::far);	// CFA = rsp - 8
	check({0x11, fp, 0x7f}, u::cause::far);	// above the CFA
	check({0x11, fp, 0}, u::cause::far);
}

BOOST_AUTO_TEST_CASE(what_a_rule_cannot_say_has_its_cause)
{
	check({0x0d, 10}, u::cause::cfa_register);
	check({0x0f, 2, 0x77, 8}, u::cause::cfa_expression);
	check({0x0f, 0}, u::cause::cfa_expression);
	check({0x90, 2}, u::cause::return_address);
	check({0x09, 16, 1}, u::cause::return_address);
	check({0x09, fp, 1}, u::cause::frame_pointer);
	check({0x07, fp}, u::cause::frame_pointer);
	check({0x10, fp, 2, 0x76, 0}, u::cause::frame_pointer);
	check({0x09, sp, 1}, u::cause::cfa_register);
	check({0x07, 16}, u::kind::end);
	check({0x07, 16, 0x0d, 10}, u::kind::end);
}

BOOST_AUTO_TEST_CASE(a_realigned_frame_is_a_rule)
{
	check({0x0f, 3, 0x76, 0x78, 0x06, 0x10, 6, 2, 0x76, 0},
	    {u::kind::realigned, 1});
	check({0x0f, 3, 0x76, 0x68, 0x06, 0x10, 6, 2, 0x76, 0},
	    {u::kind::realigned, 3});
	for (const bytes &other : {
	    bytes{0x0f, 3, 0x76, 0x78, 0x06, 0x86, 2},
	    bytes{0x0f, 3, 0x76, 0x78, 0x06, 0x10, 6, 2, 0x76, 8},
	    bytes{0x0f, 3, 0x76, 0x08, 0x06, 0x10, 6, 2, 0x76, 0},
	    bytes{0x0f, 3, 0x76, 0x7c, 0x06, 0x10, 6, 2, 0x76, 0},
	    bytes{0x0f, 4, 0x76, 0x78, 0x06, 0x96, 0x10, 6, 2, 0x76, 0},
	    bytes{0x0f, 2, 0x76, 0x78, 0x10, 6, 2, 0x76, 0}})
		check(other, u::cause::cfa_expression);
}

BOOST_AUTO_TEST_CASE(an_entry_of_a_plt_has_a_rule_for_each_pc)
{
	bytes plt = {0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33,
	    0x24, 0x22};
	for (const std::uint8_t from : {9, 10, 11, 13}) {
		plt[8] = static_cast<std::uint8_t>(0x30 + from);
		for (std::uintptr_t pc = 0x2000; pc < 0x2020; pc++) {
			const u::rule expected(u::kind::sp,
			    pc % 16 >= from ? 2 : 1);
			BOOST_TEST(rule_of(plt, pc).bits() == expected.bits());
		}
	}
	for (std::size_t n = 4; n < plt.size(); n++) {
		bytes other = plt;
		other[n] ^= 0x40;
		check(other, u::cause::cfa_expression);
	}
	plt[1]--;
	plt.pop_back();
	check(plt, u::cause::cfa_expression);
}

BOOST_AUTO_TEST_CASE(only_the_kernels_signal_frame_is_a_signals_rule)
{
	made::cie c;
	c.letters = "zRS";
	// As in the C library, for the registers that a rule needs.
	const bytes libc = {0x0f, 4, 0x77, 0xa0, 0x01, 0x06,
	    0x10, 16, 3, 0x77, 0xa8, 0x01, 0x10, 6, 3, 0x77, 0xf8, 0x00,
	    0x10, 7, 3, 0x77, 0xa0, 0x01};
	BOOST_TEST((rule_of(libc, 0, c).kind() == u::kind::signal));
	for (const std::size_t n : {3, 5, 10, 16, 22}) {
		bytes other = libc;
		other[n] ^= 8;
		BOOST_TEST_CONTEXT("byte " << n)
			BOOST_TEST((rule_of(other, 0, c).kind() ==
			    u::kind::full));
	}
	BOOST_TEST((rule_of({}, 0, c).kind() == u::kind::full));
	BOOST_TEST((rule_of(libc).kind() == u::kind::full));
}

#elif defined(__aarch64__)

BOOST_AUTO_TEST_CASE(a_row_with_a_frame_record_is_a_rule)
{
	check({0x0e, 32, 0x80 + 29, 4, 0x80 + 30, 3}, {u::kind::sp, 4, 4});
	check({0x0c, 29, 32, 0x80 + 29, 4, 0x80 + 30, 3},
	    {u::kind::fp, 4, 4});
	check({0x0e, 16, 0x2d, 0x80 + 29, 2, 0x80 + 30, 1},
	    {u::kind::sp, 2, 2});
}

BOOST_AUTO_TEST_CASE(what_a_rule_cannot_say_has_its_cause)
{
	made::cie leaf;
	leaf.program = {0x0c, sp, 0};
	BOOST_TEST((rule_of({}, 0, leaf).bits() ==
	    u::rule(u::cause::return_address).bits()));
	check({0x0e, 16, 0x80 + 30, 2}, u::cause::frame_pointer);
	check({0x0e, 16, 0x80 + 29, 1, 0x80 + 30, 2},
	    u::cause::frame_pointer);
	check({0x0c, 9, 16, 0x80 + 29, 2}, u::cause::cfa_register);
	check({0x0f, 2, 0x8f, 0, 0x80 + 29, 2}, u::cause::cfa_expression);
	check({0x0e, 12, 0x80 + 29, 2}, u::cause::far);
	check({0x07, 30}, u::kind::end);
}

#endif

BOOST_AUTO_TEST_CASE(a_signal_trampoline_is_known_by_its_instructions)
{
	const std::size_t page = static_cast<std::size_t>(getpagesize());
	void *const map = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED ||
	    mprotect(static_cast<char *>(map) + page, page, PROT_NONE) != 0)
		throw std::bad_alloc();
	const std::size_t size = u::signal_trampoline.size();
	for (const std::size_t at : {std::size_t{64}, page - size}) {
		std::memcpy(static_cast<char *>(map) + at,
		    u::signal_trampoline.data(), size);
		const std::uintptr_t pc =
		    reinterpret_cast<std::uintptr_t>(map) + at;
		// By its pc, as a return address, and in its system call.
		BOOST_TEST((u::rule_here(pc).kind() == u::kind::signal));
		BOOST_TEST((u::rule_here(pc - 1).kind() == u::kind::signal));
		BOOST_TEST((u::rule_here(pc + size).kind() ==
		    u::kind::signal));
		BOOST_TEST((u::rule_here(pc + size + 1).kind() ==
		    u::kind::absent));
		BOOST_TEST((u::rule_here(pc - 2).kind() == u::kind::absent));
		BOOST_TEST((u::rule_here(pc + 1).kind() == u::kind::absent));
		BOOST_TEST(!u::in_module(pc));
	}
	// Nothing can be read there.
	errno = 4711;
	for (const std::uintptr_t pc : {std::uintptr_t{0}, std::uintptr_t{8},
	    ~std::uintptr_t{0},
	    reinterpret_cast<std::uintptr_t>(map) + page + 64})
		BOOST_TEST((u::rule_here(pc).kind() == u::kind::absent));
	BOOST_TEST(errno == 4711);
	munmap(map, 2 * page);
}

BOOST_AUTO_TEST_CASE(code_of_this_process_has_its_row)
{
	const auto pc = reinterpret_cast<std::uintptr_t>(&std::abort);
	u::row r;

	BOOST_TEST(u::in_module(pc));
	BOOST_REQUIRE(u::row_here(pc, r) == u::found::yes);
	BOOST_TEST(r.begin == pc);
	BOOST_TEST(r.end > pc);
	BOOST_TEST(r.cfa_register == sp);
}
