// Executes the operations of DWARF expressions (DWARF 5, 2.5.1) over registers
// that need not all be known.  A decoder reads the operations one by one, makes
// the jumps, and calls apply() for the others.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "memory.h"
#include "outcome.h"

namespace stack9::unwind {

// DW_OP_*
namespace operation {
enum op : std::uint8_t {
	addr = 0x03, deref = 0x06, const1u = 0x08, const1s, const2u, const2s,
	const4u, const4s, const8u, const8s, constu, consts, dup, drop, over,
	pick, swap, rot, abs = 0x19, and_, div, minus, mod, mul, neg, not_, or_,
	plus, plus_uconst, shl, shr, shra, xor_, bra, eq, ge, gt, le, lt, ne,
	skip, lit0 = 0x30, lit31 = 0x4f, reg0 = 0x50, reg31 = 0x6f,
	breg0 = 0x70, breg31 = 0x8f, regx = 0x90, bregx = 0x92,
	deref_size = 0x94, nop = 0x96, call_frame_cfa = 0x9c,
	stack_value = 0x9f,
};
}

// Two operations that no compiler writes.  The first pushes a register, whose
// number is the operand, the second what an address has.  Both push 0 where
// nothing is known, and an expression can choose another way then.
inline constexpr std::uint8_t register_or_0 = 0xeb, deref_or_0 = 0xec;

// The longest expression known has some 20 steps, and loads 4 words.  A load
// may be a system call, and a row may have an expression for each register.
inline constexpr int expression_steps_max = 0x200, expression_loads_max = 64;

// Word is the program's machine word: 32 or 64 bits.  Registers answers
// knows(number) and has the number of registers in count.
template <class Word, class Registers>
class expression_machine {
public:
	expression_machine(const Registers &regs, memory &m) noexcept
	    : regs_(regs), memory_(m) {}

	// Executes one operation; the operands are what follows it, in their
	// order.  False: it is a jump, a result's description, or no operation
	// of call frame information at all.
	bool
	apply(unsigned int what, Word operand, Word second) noexcept
	{
		if (what >= operation::breg0 && what <= operation::breg31)
			return push_register(what - operation::breg0, operand);
		if (what == operation::bregx)
			return push_register(operand, second);
		if (what == register_or_0) {
			push(is_known(operand) ? regs_.value[operand] : 0);
			return true;
		}
		return push_constant(what, operand) ||
		    shuffle(what, operand) || unary(what, operand) ||
		    binary(what) || what == operation::nop;
	}

	void
	push(Word w) noexcept
	{
		if (depth_ == stack_max)
			fail(outcome::malformed);
		else
			stack_[depth_++] = w;
	}
	Word
	pop() noexcept
	{
		if (depth_ != 0)
			return stack_[--depth_];
		fail(outcome::malformed);
		return 0;
	}
	void fail(outcome why) noexcept { error_ = why; }
	outcome error() const noexcept { return error_; }	// or stepped

private:
	using signed_word = std::make_signed_t<Word>;
	static constexpr std::size_t stack_max = 64;
	static constexpr Word bits = std::numeric_limits<Word>::digits;

	static constexpr signed_word
	to_signed(Word w) noexcept
	{
		return static_cast<signed_word>(w);
	}
	static constexpr Word
	to_word(signed_word w) noexcept
	{
		return static_cast<Word>(w);
	}
	// The smallest number divided by -1 is itself here, as the hardware of
	// aarch64 has it.
	static constexpr Word
	quotient(Word a, Word b) noexcept
	{
		return to_signed(b) == -1 ? 0 - a :
		    to_word(to_signed(a) / to_signed(b));
	}

	bool
	is_known(Word number) const noexcept
	{
		return number < Registers::count &&
		    regs_.knows(static_cast<int>(number));
	}
	bool push_register(Word number, Word offset) noexcept;
	bool push_constant(unsigned int what, Word operand) noexcept;
	bool shuffle(unsigned int what, Word operand) noexcept;
	bool unary(unsigned int what, Word operand) noexcept;
	bool binary(unsigned int what) noexcept;
	void load(Word size) noexcept;
	void load_or_0() noexcept;
	void copy(Word below) noexcept;
	void sink(std::size_t) noexcept;

	const Registers	&regs_;
	memory		&memory_;
	outcome		error_ = outcome::stepped;
	std::size_t	depth_ = 0;
	int		loads_ = 0;
	std::array<Word, stack_max> stack_;
};

template <class Word, class Registers>
bool
expression_machine<Word, Registers>::push_register(Word number, Word offset)
    noexcept
{
	if (!is_known(number))
		fail(outcome::no_register);
	else
		push(regs_.value[number] + offset);
	return true;
}

// Both CPUs are little-endian.
template <class Word, class Registers>
void
expression_machine<Word, Registers>::load(Word size) noexcept
{
	const Word at = pop();
	Word w = 0;
	if (size == 0 || size > sizeof w || ++loads_ > expression_loads_max)
		fail(outcome::malformed);
	else if (error_ == outcome::stepped && !memory_.read(at, &w, size))
		fail(outcome::no_memory);
	push(w);
}

template <class Word, class Registers>
void
expression_machine<Word, Registers>::load_or_0() noexcept
{
	const Word at = pop();
	Word w = 0;
	if (++loads_ > expression_loads_max)
		fail(outcome::malformed);
	else if (error_ == outcome::stepped &&
	    !memory_.read_preferred(at, &w, sizeof w))
		w = 0;
	push(w);
}

template <class Word, class Registers>
void
expression_machine<Word, Registers>::copy(Word below) noexcept
{
	if (below >= depth_)
		fail(outcome::malformed);
	else
		push(stack_[depth_ - 1 - below]);
}

// The uppermost of n words goes below the others.
template <class Word, class Registers>
void
expression_machine<Word, Registers>::sink(std::size_t n) noexcept
{
	if (depth_ < n)
		return fail(outcome::malformed);
	const auto top = stack_.begin() + static_cast<std::ptrdiff_t>(depth_);
	std::rotate(top - static_cast<std::ptrdiff_t>(n), top - 1, top);
}

template <class Word, class Registers>
bool
expression_machine<Word, Registers>::push_constant(unsigned int what,
    Word operand) noexcept
{
	if (what >= operation::lit0 && what <= operation::lit31)
		push(what - operation::lit0);
	else if (what >= operation::const1u && what <= operation::consts)
		push(operand);
	else
		return false;
	return true;
}

template <class Word, class Registers>
bool
expression_machine<Word, Registers>::shuffle(unsigned int what, Word operand)
    noexcept
{
	switch (what) {
	case operation::dup: copy(0); break;
	case operation::drop: pop(); break;
	case operation::over: copy(1); break;
	case operation::pick: copy(operand); break;
	case operation::swap: sink(2); break;
	case operation::rot: sink(3); break;
	default: return false;
	}
	return true;
}

template <class Word, class Registers>
bool
expression_machine<Word, Registers>::unary(unsigned int what, Word operand)
    noexcept
{
	switch (what) {
	case operation::deref: load(sizeof(Word)); break;
	case operation::deref_size: load(operand); break;
	case deref_or_0: load_or_0(); break;
	case operation::plus_uconst: push(pop() + operand); break;
	case operation::neg: push(0 - pop()); break;
	case operation::not_: push(~pop()); break;
	case operation::abs: {
		const Word w = pop();
		push(to_signed(w) < 0 ? 0 - w : w);
		break;
	}
	default: return false;
	}
	return true;
}

template <class Word, class Registers>
bool
expression_machine<Word, Registers>::binary(unsigned int what) noexcept
{
	using namespace operation;
	if (what < and_ || what > ne || what == bra)
		return false;
	const Word b = pop(), a = pop();
	if ((what == div || what == mod) && b == 0) {
		fail(outcome::malformed);
		return true;
	}
	switch (what) {
	case and_: push(a & b); break;
	case div: push(quotient(a, b)); break;
	case minus: push(a - b); break;
	case mod: push(a % b); break;
	case mul: push(a * b); break;
	case or_: push(a | b); break;
	case plus: push(a + b); break;
	case shl: push(b < bits ? a << b : 0); break;
	case shr: push(b < bits ? a >> b : 0); break;
	case shra: push(to_word(to_signed(a) >> std::min(b, bits - 1))); break;
	case xor_: push(a ^ b); break;
	case eq: push(a == b); break;
	case ge: push(to_signed(a) >= to_signed(b)); break;
	case gt: push(to_signed(a) > to_signed(b)); break;
	case le: push(to_signed(a) <= to_signed(b)); break;
	case lt: push(to_signed(a) < to_signed(b)); break;
	case ne: push(a != b); break;
	}
	return true;
}

} // namespace stack9::unwind
