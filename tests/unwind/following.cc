// Tests that code without unwind information is left by following it, against
// code made for it, and against what unwind information says of the C library.
//
// SPDX-License-Identifier: BSD-2-Clause
#ifdef __x86_64__
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <map>

#include <link.h>

#include "unwind/leave_frame.h"
#include "unwind/row_here.h"
#include "unwind/rule.h"

#include "unwind/stacks.h"

namespace u = stack9::unwind;

BOOST_AUTO_TEST_SUITE(following)

namespace {

constexpr std::uintptr_t code_at = 0x10000, stack_at = std::uintptr_t{1} << 40,
    stack_size = 1 << 24;

// Has JIT code, or that of this process, and a stack of words that are their
// own addresses.
class places final : public u::memory {
public:
	explicit places(std::initializer_list<std::uint8_t> code = {})
	    : code_(code) {}

	bool
	read(std::uintptr_t from, void *to, std::size_t size) noexcept override
	{
		if (from - stack_at < stack_size) {
			std::memcpy(to, &from, std::min(size, sizeof from));
			return size == sizeof from;
		}
		if (code_.empty())
			return here_.read(from, to, size);
		if (from < code_at || from - code_at > code_.size() ||
		    size > code_.size() - (from - code_at))
			return false;
		std::memcpy(to, code_.data() + (from - code_at), size);
		return true;
	}

private:
	std::vector<std::uint8_t>	code_;
	u::own_memory			here_;
};

u::registers
at(std::uintptr_t pc, bool exact = false)
{
	u::registers r;
	r.set(u::register_pc, pc);
	r.set(u::register_sp, stack_at);
	r.set(u::register_fp, 7);
	r.set(3, 33);
	r.exact = exact;
	return r;
}

bool
follow(std::initializer_list<std::uint8_t> code, u::registers &to)
{
	places words(code);
	return u::leave_by_code(words, at(code_at, true), to);
}

// Bytes from sp to the frame's end; 0: the code is not followed.
std::size_t
frame(std::initializer_list<std::uint8_t> code)
{
	u::registers to;
	return follow(code, to) ? to.sp() - stack_at : 0;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_system_call_returns_at_once)
{
	BOOST_TEST(frame({0xc3}) == 8u);
	u::registers to;
	BOOST_REQUIRE(follow({0xc3}, to));
	BOOST_TEST(to.pc() == stack_at);
	BOOST_TEST(to.fp() == 7u);
	BOOST_TEST(to.value[3] == 33u);
	BOOST_TEST(!to.exact);
	places words{0xc3};
	BOOST_TEST(!u::leave_by_code(words, at(code_at), to));
}

// add $0x18,%rsp; mov %rax,%rdi; jmp 1f; nop; 1: cmp $-4096,%rdi; ja 2f;
// mov %rdi,%rax; ret; 2: push %rbx; call ...; pop %rbx; ret
BOOST_AUTO_TEST_CASE(musls_read_jumps_to_what_sets_errno)
{
	BOOST_TEST(frame({0x48, 0x83, 0xc4, 0x18, 0x48, 0x89, 0xc7, 0xeb, 1,
	    0x90, 0x48, 0x81, 0xff, 0, 0xf0, 0xff, 0xff, 0x77, 4, 0x48, 0x89,
	    0xf8, 0xc3, 0x53, 0xe8, 0, 0, 0, 0, 0x5b, 0xc3}) == 0x20u);
}

BOOST_AUTO_TEST_CASE(the_way_that_returns_is_taken)
{
	// je 1f; call ...; nop; nop; 1: add $16,%rsp; ret
	BOOST_TEST(frame({0x74, 7, 0xe8, 0, 0, 0, 0, 0x90, 0x90, 0x48, 0x83,
	    0xc4, 0x10, 0xc3}) == 0x18u);
	// 1: test %eax,%eax; je 1b; jmp 1b
	BOOST_TEST(frame({0x85, 0xc0, 0x74, 0xfc, 0xeb, 0xfa}) == 0u);
	BOOST_TEST(frame({0xe8, 0, 0, 0, 0, 0x0f, 0x0b}) == 0u);
}

BOOST_AUTO_TEST_CASE(registers_come_back_from_the_stack)
{
	u::registers to;
	// pop %rbx; mov 8(%rsp),%rbp; add $16,%rsp; ret
	BOOST_REQUIRE(follow({0x5b, 0x48, 0x8b, 0x6c, 0x24, 8, 0x48, 0x83, 0xc4,
	    0x10, 0xc3}, to));
	BOOST_TEST(to.value[3] == stack_at);
	BOOST_TEST(to.fp() == stack_at + 16);
	BOOST_TEST(to.sp() == stack_at + 32);
	// xor %ebx,%ebx; ret
	BOOST_REQUIRE(follow({0x31, 0xdb, 0xc3}, to));
	BOOST_TEST(!to.knows(3));
	// push %rbx; pop %rbx; ret: what is pushed is not there yet
	BOOST_REQUIRE(follow({0x53, 0x5b, 0xc3}, to));
	BOOST_TEST(!to.knows(3));
	BOOST_TEST(to.sp() == stack_at + 8);
}

BOOST_AUTO_TEST_CASE(other_moves_of_the_stack_pointer_are_refused)
{
	BOOST_TEST(frame({0x48, 0x83, 0xe4, 0xf0, 0xc3}) == 0u);	// and
	BOOST_TEST(frame({0x48, 0x01, 0xc4, 0xc3}) == 0u);	// add %rax
	BOOST_TEST(frame({0x48, 0x94, 0xc3}) == 0u);		// xchg %rax
	BOOST_TEST(frame({0x48, 0x83, 0xc4, 0x10}) == 0u);	// cut off
	BOOST_TEST(frame({0x48, 0x83, 0xec, 0x10, 0xc3}) == 0u);	// below
}

// All calls of the C library: where its rows say by sp where the frame ends,
// the code says the same or nothing, with very few exceptions.
BOOST_AUTO_TEST_CASE(it_says_what_unwind_information_says)
{
	struct text {
		std::uintptr_t	begin = 0, end = 0;
	} t;
	dl_iterate_phdr([](dl_phdr_info *info, std::size_t, void *arg) {
		if (std::strstr(info->dlpi_name, "/libc.so") == nullptr)
			return 0;
		for (int i = 0; i < info->dlpi_phnum; i++) {
			const ElfW(Phdr) &p = info->dlpi_phdr[i];
			if (p.p_type == PT_LOAD && (p.p_flags & PF_X) != 0)
				*static_cast<text *>(arg) = {
				    info->dlpi_addr + p.p_vaddr,
				    info->dlpi_addr + p.p_vaddr + p.p_memsz};
		}
		return 1;
	}, &t);
	BOOST_REQUIRE(t.begin != 0);
	places words;
	std::size_t calls = 0, same = 0, other = 0;
	for (std::uintptr_t pc = t.begin + 5; pc < t.end; pc++) {
		std::int32_t distance;
		std::memcpy(&distance, reinterpret_cast<void *>(pc - 4), 4);
		const std::uintptr_t to = pc +
		    static_cast<std::uintptr_t>(std::intptr_t{distance});
		if (*reinterpret_cast<std::uint8_t *>(pc - 5) != 0xe8 ||
		    to < t.begin || to >= t.end)
			continue;
		const u::rule r = u::rule_here(pc - 1);
		u::registers caller;
		if (r.kind() != u::kind::sp)
			continue;
		calls++;
		if (!u::leave_by_code(words, at(pc), caller))
			continue;
		(caller.sp() == stack_at + r.cfa() ? same : other)++;
		if (caller.sp() != stack_at + r.cfa())
			BOOST_TEST_MESSAGE(std::hex << pc - t.begin << ": " <<
			    caller.sp() - stack_at << " for " << r.cfa());
	}
	BOOST_TEST_MESSAGE(std::dec << calls << " calls, " << same << " same, "
	    << other << " other");
	BOOST_TEST(calls > 5000u);
	BOOST_TEST(same * 10 > calls * 8);
	// Two of 10,699 differ in Debian 12's, and 15 of 11,559 in 13's: where
	// the code goes to a call of exit(3) and does not say that it ends.
	BOOST_TEST(other * 500 < calls);
}

BOOST_AUTO_TEST_SUITE_END()
#endif
