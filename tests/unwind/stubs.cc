// Tests linkers' stubs that no unwind information describes, by the bytes that
// lld and mold write.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cstring>
#include <map>
#include <vector>

#include "unwind/call.h"

namespace u = stack9::unwind;

BOOST_AUTO_TEST_SUITE(stubs)

#ifdef __x86_64__

namespace {

using bytes = std::vector<std::uint8_t>;

constexpr std::uintptr_t begin = 0x100000, sp = 0x800000, none = 0;

// Code, and a stack whose words are their own addresses.
class memory final : public u::memory {
public:
	explicit memory(bytes b) : code(std::move(b)) {}

	bool
	read(std::uintptr_t from, void *to, std::size_t n) noexcept override
	{
		if (from >= sp && n == sizeof from) {
			std::memcpy(to, &from, n);
			return true;
		}
		if (from - begin > code.size() ||
		    code.size() - (from - begin) < n)
			return false;
		std::memcpy(to, code.data() + (from - begin), n);
		return true;
	}

	const bytes	code;
};

// Gives the words between the stack pointer and the return address at an
// instruction; -1: it is none of a stub.
int
pushed_at(const bytes &code, std::uintptr_t at)
{
	memory words(code);
	u::registers regs, caller;
	regs.set(u::register_pc, begin + at);
	regs.set(u::register_sp, sp);
	regs.exact = true;
	if (!u::forwards(words, begin + at))
		return -1;
	BOOST_REQUIRE(u::before_call(words, regs, caller));
	BOOST_TEST(caller.pc() + sizeof sp == caller.sp());
	return static_cast<int>((caller.pc() - sp) / sizeof sp);
}

// at: the words that were pushed before each instruction.
void
check(const bytes &code, const std::map<std::uintptr_t, int> &at)
{
	for (const auto &[offset, words] : at)
		BOOST_TEST_CONTEXT("at " << offset)
			BOOST_TEST(pushed_at(code, offset) == words);
}

const bytes lld{
	0xff, 0x35, 0xca, 0x22, 0, 0, 0xff, 0x25, 0xcc, 0x22, 0, 0,
	0x0f, 0x1f, 0x40, 0,
	0xff, 0x25, 0xca, 0x22, 0, 0, 0x68, 0, 0, 0, 0, 0xe9, 0xe0, 0xff, 0xff,
	0xff};
const bytes lld_ibt{
	0xff, 0x35, 0x7a, 0x23, 0, 0, 0xff, 0x25, 0x7c, 0x23, 0, 0,
	0x0f, 0x1f, 0x40, 0,
	0xf3, 0x0f, 0x1e, 0xfa, 0x68, 0, 0, 0, 0, 0xe9, 0xe2, 0xff, 0xff, 0xff,
	0x66, 0x90};
const bytes mold{
	0xf3, 0x0f, 0x1e, 0xfa, 0x41, 0x53, 0xff, 0x35, 0x4c, 0x27, 0, 0, 0xff,
	0x25, 0x4e, 0x27, 0, 0,
	0xf3, 0x0f, 0x1e, 0xfa, 0x41, 0xbb, 0, 0, 0, 0, 0xff, 0x25, 0x3c, 0x27,
	0, 0};

} // namespace

BOOST_AUTO_TEST_CASE(the_return_address_is_found_under_what_a_stub_has_pushed)
{
	check(lld, {{0, 1}, {6, 2}, {16, 0}, {22, 0}, {27, 1}});
	check(lld_ibt, {{0, 1}, {6, 2}, {16, 0}, {20, 0}, {25, 1}});
	check(mold, {{0, 0}, {4, 0}, {6, 1}, {12, 2}, {18, 0}, {22, 0},
	    {28, 0}});
}

BOOST_AUTO_TEST_CASE(code_that_only_looks_like_one_is_none)
{
	bytes other = lld;
	other[8]++;		// not the next slot
	check(other, {{0, -1}, {6, 0}, {22, -1}, {27, -1}});
	other = lld;
	other[28]++;		// no jump to the header
	check(other, {{22, -1}, {27, -1}});
	// push $0x10000; ret, and push %r11
	check({0x68, 0, 0, 1, 0, 0xc3, 0x41, 0x53, 0xc3},
	    {{0, -1}, {5, -1}, {6, -1}});
}

#endif

BOOST_AUTO_TEST_SUITE_END()
