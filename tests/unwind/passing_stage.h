// Makes code with and without unwind information, and a stack, by hand.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <boost/test/unit_test.hpp>

#include <vector>

#include "unwind/walk.h"

#include "cfi_memory.h"
#include "cfi_section.h"

namespace passing {

namespace u = stack9::unwind;

constexpr std::uintptr_t bottom = 0x8000;
// Made code, without a call in it; functions of files, with and without unwind
// information.
constexpr std::uintptr_t made_at = 0x10000, known_at = 0x20000,
    blank_at = 0x30000, size = 0x1000;
// After a call, and not.
constexpr std::uintptr_t called = 0x108, plain = 0x208;

// A frame of known code is that of a function that pushes nothing.
class program final : public u::code {
public:
	u::rule
	rule_of(std::uintptr_t at) noexcept override
	{
		u::row r;
		return row_of(at, r) == u::found::yes ? u::rule_of_row(r, at) :
		    u::kind::absent;
	}
	u::found
	row_of(std::uintptr_t at, u::row &to) noexcept override
	{
		if (at - known_at >= size || (at >= from && at < until))
			return u::found::no;
		made::cie c;
		to = made::row_of(outermost && at < wrong ?
		    made::bytes{0x07, made::column} : has_fp || at >= wrong ?
		    made::bytes{0x0c, u::register_fp, 16,
		    0x80 + u::register_fp, 2} : made::bytes{}, 0, c);
		to.begin = at < from ? known_at : until;
		to.end = at < from ? from : known_at + size;
		return u::found::yes;
	}
	bool
	covers(std::uintptr_t at) noexcept override
	{
		return at - known_at < size || at - blank_at < size;
	}
	bool
	is_made(std::uintptr_t at) noexcept override
	{
		return at - made_at < size;
	}
	bool
	is_one_stack(std::uintptr_t a, std::uintptr_t b) noexcept override
	{
		return a - bottom < stack_size && b - bottom < stack_size;
	}

	std::uintptr_t	stack_size = size;
	bool		outermost = true;	// known code has no caller
	bool		has_fp = false;	// its frames end where fp says
	// Known code is said to be so from there on.
	std::uintptr_t	wrong = known_at + size;
	// Known code lacks unwind information here.
	std::uintptr_t	from = known_at + size, until = from;
};

// FF D0 is call *%rax, and 0F 05 syscall; D63F0000 is blr x0, and D4000001 svc.
constexpr std::uintptr_t call_word = made::column == 16 ?
    0xd0ff000000000000 : 0xd63f000000000000;
constexpr std::uintptr_t syscall_word = made::column == 16 ?
    0x050f000000000000 : 0xd400000100000000;

struct stage {
	program		code;
	made::memory	memory{{
	    {made_at + called - 8, 0}, {made_at + plain - 8, 0},
	    {known_at + called - 8, call_word}, {known_at + plain - 8, 0},
	    {blank_at + called - 8, call_word}}};
	u::registers	regs = made::registers({
	    {u::register_pc, made_at + plain}, {u::register_sp, bottom},
	    {u::register_fp, bottom + 0x10}});
	std::vector<std::uintptr_t> pcs = std::vector<std::uintptr_t>(64);

	// A frame's pair: where the caller's is, and its pc.
	void
	pair(std::uintptr_t at, std::uintptr_t callers, std::uintptr_t pc)
	{
		memory.words[bottom + at] = bottom + callers;
		memory.words[bottom + at + 8] = pc;
	}
	u::walked
	walk()
	{
		const u::walked w = u::walk_memory(code, memory, regs,
		    pcs.data(), 64);
		pcs.resize(w.depth);
		return w;
	}
	void
	stops(u::outcome how)
	{
		const u::walked w = walk();
		BOOST_TEST((w.how == how));
		BOOST_TEST(w.depth == 1u);
		BOOST_TEST(!w.guessed);
	}
};

} // namespace passing
