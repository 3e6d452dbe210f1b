// Leaves compiled JIT code at each of its instructions, and follows other code
// to its return.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cstring>
#include <vector>

#include "unwind/leave_frame.h"

#include "cfi_memory.h"

#ifdef __x86_64__
namespace u = stack9::unwind;
using boost::unit_test::description;

namespace {

constexpr std::uintptr_t code_at = 0x100000, begins = 0x6000, size = 0x8000;
constexpr std::uintptr_t stack_at = 0x800000, stack_size = 0x4000;
constexpr std::uintptr_t entered = stack_at + 0x3000;	// sp at entry
constexpr std::uintptr_t caller = 0x4711000, fp = 0x1234568, junk = 0x77;

// Code and a stack, and nothing else.
class flat final : public u::memory {
public:
	bool
	read(std::uintptr_t from, void *to, std::size_t n) noexcept override
	{
		const bool in_code = from - code_at < code.size();
		const std::uintptr_t at = from - (in_code ? code_at : stack_at);
		const auto &all = in_code ? code : stack;
		if (at > all.size() || all.size() - at < n)
			return false;
		std::memcpy(to, all.data() + at, n);
		return true;
	}
	void
	put(std::uintptr_t at, std::uintptr_t value)
	{
		std::memcpy(stack.data() + (at - stack_at), &value,
		    sizeof value);
	}

	std::vector<std::uint8_t>
	    code = std::vector<std::uint8_t>(size, 0x90),
	    stack = std::vector<std::uint8_t>(stack_size);
};

// An instruction, and what it does to the stack.
struct step {
	std::vector<std::uint8_t>	bytes;
	std::intptr_t			sp = 0;		// added
	bool				saves = false;	// %rbp, at the CFA - 16
	bool				restores = false;
};

void
check(const std::vector<step> &function, std::size_t times_body)
{
	flat words;
	std::uintptr_t at = code_at + begins, sp = entered, now = fp;
	words.put(entered, caller);
	for (const step &s : function)
		for (std::size_t n = s.bytes == std::vector<std::uint8_t>{0x90}
		    ? times_body : 1; n-- > 0;) {
			std::copy(s.bytes.begin(), s.bytes.end(),
			    words.code.begin() +
			    static_cast<std::ptrdiff_t>(at - code_at));
			at += s.bytes.size();
		}
	at = code_at + begins;
	for (const step &s : function)
		for (std::size_t n = s.bytes == std::vector<std::uint8_t>{0x90}
		    ? times_body : 1; n-- > 0;) {
			u::registers regs = made::registers({
			    {u::register_pc, at}, {u::register_sp, sp},
			    {u::register_fp, now}});
			u::registers to;
			regs.exact = true;
			BOOST_TEST_CONTEXT("at " << at - code_at - begins) {
				BOOST_TEST(u::leave_compiled(words, regs, to));
				BOOST_TEST(to.pc() == caller);
				BOOST_TEST(to.sp() == entered + 8);
				BOOST_TEST(to.fp() == fp);
			}
			sp += static_cast<std::uintptr_t>(s.sp);
			if (s.saves) {
				words.put(entered - 8, fp);
				now = junk;
			} else if (s.restores) {
				now = fp;
			}
			at += s.bytes.size();
		}
}

const step nop{{0x90}}, pop{{0x5d}, 8, false, true}, ret{{0xc3}},
    cmp{{0x49, 0x3b, 0xa7, 0x38, 3, 0, 0}}, ja{{0x0f, 0x87, 1, 0, 0, 0}};

} // namespace

BOOST_AUTO_TEST_SUITE(made_frame)

BOOST_AUTO_TEST_CASE(that_touches_the_stack_first)
{
	check({{{0x89, 0x84, 0x24, 0, 0xc0, 0xfe, 0xff}}, {{0x55}, -8, true},
	    {{0x48, 0x83, 0xec, 0x20}, -0x20}, nop,
	    {{0x48, 0x83, 0xc4, 0x20}, 0x20}, pop, cmp, ja, ret}, 100);
	check({{{0x89, 0x84, 0x24, 0, 0xc0, 0xfe, 0xff}}, {{0x55}, -8, true},
	    {{0x48, 0x81, 0xec, 0, 1, 0, 0}, -0x100}, nop,
	    {{0x48, 0x81, 0xc4, 0, 1, 0, 0}, 0x100}, pop, cmp, ja, ret}, 5000);
}

BOOST_AUTO_TEST_CASE(that_does_not)
{
	check({{{0x48, 0x83, 0xec, 0x18}, -0x18},
	    {{0x48, 0x89, 0x6c, 0x24, 0x10}, 0, true}, nop,
	    {{0x48, 0x83, 0xc4, 0x10}, 0x10}, pop, cmp, ja, ret}, 40);
}

// HotSpot writes a jump over the first five bytes of a function that is not to
// be called any more; the frames that it has stay.
BOOST_AUTO_TEST_CASE(that_is_not_to_be_called_any_more)
{
	check({{{0xe9, 1, 2, 3, 4, 0xfe, 0xff}}, {{0x55}, -8, true},
	    {{0x48, 0x83, 0xec, 0x20}, -0x20}, nop,
	    {{0x48, 0x83, 0xc4, 0x20}, 0x20}, pop, cmp, ja, ret}, 100);
	check({{{0xe9, 1, 2, 3, 4, 0, 0}, -0x18},
	    {{0x48, 0x89, 0x6c, 0x24, 0x10}, 0, true}, nop,
	    {{0x48, 0x83, 0xc4, 0x10}, 0x10}, pop, cmp, ja, ret}, 40);
}

// The search has an end: it goes back a few pages.
BOOST_AUTO_TEST_CASE(what_begins_otherwise_is_not_known)
{
	flat words;
	u::registers to, regs = made::registers({
	    {u::register_pc, code_at + begins}, {u::register_sp, entered},
	    {u::register_fp, fp}});
	BOOST_TEST(!u::leave_compiled(words, regs, to));
	const std::vector<std::uint8_t> far{0x48, 0x83, 0xec, 0x18, 0x48, 0x89,
	    0x6c, 0x24, 0x10};
	std::copy(far.begin(), far.end(), words.code.begin() + 0x100);
	BOOST_TEST(!u::leave_compiled(words, regs, to));
	regs.set(u::register_pc, code_at + 0x200);
	BOOST_TEST(u::leave_compiled(words, regs, to));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(returning)

namespace {

// Follows the code, from a return address in front of it, to the registers
// after it.
bool
follow(std::initializer_list<std::uint8_t> code, u::registers &to,
    bool exact = false)
{
	flat words;
	std::copy(code.begin(), code.end(), words.code.begin() + begins);
	for (std::uintptr_t n = 0; n < 64; n++)
		words.put(entered + 8 * n, caller + n);
	u::registers regs = made::registers({{u::register_pc, code_at + begins},
	    {u::register_sp, entered}});
	regs.exact = exact;
	return u::leave_returning(words, regs, to);
}

} // namespace

BOOST_AUTO_TEST_CASE(a_frame_is_removed_by_pops_and_additions)
{
	u::registers to;
	BOOST_TEST(follow({0xc3}, to));
	BOOST_TEST(to.pc() == caller);
	BOOST_TEST(to.sp() == entered + 8);
	// pop %r15; pop %rbp; pop %rbx; ret
	BOOST_TEST(follow({0x41, 0x5f, 0x5d, 0x5b, 0xc3}, to));
	BOOST_TEST(to.value[15] == caller);
	BOOST_TEST(to.fp() == caller + 1);
	BOOST_TEST(to.value[3] == caller + 2);
	BOOST_TEST(to.pc() == caller + 3);
	BOOST_TEST(to.sp() == entered + 32);
	// add $8,%rsp; xor %eax,%eax; pop %rbx; ret
	BOOST_TEST(follow({0x48, 0x83, 0xc4, 8, 0x31, 0xc0, 0x5b, 0xc3}, to));
	BOOST_TEST(to.value[3] == caller + 1);
	BOOST_TEST(to.pc() == caller + 2);
	// add $0x100,%rsp; ret
	BOOST_TEST(follow({0x48, 0x81, 0xc4, 0, 1, 0, 0, 0xc3}, to));
	BOOST_TEST(to.pc() == caller + 32);
}

BOOST_AUTO_TEST_CASE(whatever_else_is_there_ends_it)
{
	u::registers to;
	BOOST_TEST(!follow({0x74, 0x00, 0xc3}, to));		// je
	BOOST_TEST(!follow({0xe8, 0, 0, 0, 0, 0xc3}, to));	// call
	BOOST_TEST(!follow({0x48, 0x83, 0xc4, 0xf8, 0xc3}, to)); // add $-8
	BOOST_TEST(!follow({0x5c, 0xc3}, to));			// pop %rsp
	BOOST_TEST(!follow({0xc9, 0xc3}, to));			// leave
	BOOST_TEST(!follow({0xc3}, to, true));	// it was interrupted
}

BOOST_AUTO_TEST_SUITE_END()
#endif
