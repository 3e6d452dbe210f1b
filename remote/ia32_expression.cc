// A stack machine of 32-bit words.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "ia32_expression.h"

#include <algorithm>

#include <dwarf.h>

namespace stack9::process {
namespace {

using unwind::outcome;
using word = std::uint32_t;

constexpr int steps_max = 0x1000;
constexpr std::size_t stack_max = 64;

constexpr std::int32_t
to_signed(word w) noexcept
{
	return static_cast<std::int32_t>(w);
}

class machine {
public:
	machine(std::span<const Dwarf_Op> program, const ia32_registers &regs,
	    unwind::memory &words, std::optional<word> cfa) noexcept
	    : program_(program), regs_(regs), words_(words), cfa_(cfa) {}

	outcome run(ia32_result &) noexcept;

private:
	void step(const Dwarf_Op &) noexcept;
	bool push_constant(const Dwarf_Op &) noexcept;
	bool shuffle(const Dwarf_Op &) noexcept;
	bool unary(const Dwarf_Op &) noexcept;
	bool binary(const Dwarf_Op &) noexcept;
	bool end(const Dwarf_Op &) noexcept;
	void push_register(word number, word offset) noexcept;
	void load(std::size_t size) noexcept;
	void pick(std::size_t below) noexcept;
	void sink(std::size_t) noexcept;
	void jump(const Dwarf_Op &) noexcept;

	void
	fail(outcome why) noexcept
	{
		if (error_ == outcome::stepped)
			error_ = why;
	}
	void
	push(word w) noexcept
	{
		if (depth_ == stack_max)
			return fail(outcome::malformed);
		stack_[depth_++] = w;
	}
	word
	pop() noexcept
	{
		if (depth_ != 0)
			return stack_[--depth_];
		fail(outcome::malformed);
		return 0;
	}

	std::span<const Dwarf_Op> program_;
	const ia32_registers	&regs_;
	unwind::memory		&words_;
	std::optional<word>	cfa_;
	ia32_result		result_{ia32_result::is_address, 0};
	outcome			error_ = outcome::stepped;
	std::size_t		next_ = 0;
	std::size_t		depth_ = 0;
	std::array<word, stack_max> stack_;
};

void
machine::push_register(word number, word offset) noexcept
{
	const int n = static_cast<int>(std::min<word>(number,
	    ia32_registers::count));
	if (!regs_.knows(n))
		return fail(outcome::no_register);
	push(regs_[n] + offset);
}

void
machine::load(std::size_t size) noexcept
{
	const word at = pop();
	word w = 0;
	if (size == 0 || size > sizeof w)
		fail(outcome::malformed);
	else if (error_ == outcome::stepped && !words_.read(at, &w, size))
		fail(outcome::no_memory);
	push(w);
}

void
machine::pick(std::size_t below) noexcept
{
	if (below >= depth_)
		return fail(outcome::malformed);
	push(stack_[depth_ - 1 - below]);
}

// The uppermost goes below the others.
void
machine::sink(std::size_t n) noexcept
{
	if (depth_ < n)
		return fail(outcome::malformed);
	const auto top = stack_.begin() + static_cast<std::ptrdiff_t>(depth_);
	std::rotate(top - static_cast<std::ptrdiff_t>(n), top - 1, top);
}

// Bytes from behind the jump, which has 3 itself.
void
machine::jump(const Dwarf_Op &from) noexcept
{
	const Dwarf_Word to = from.offset + 3 + static_cast<Dwarf_Word>(
	    static_cast<std::int16_t>(from.number));
	const auto there = std::find_if(program_.begin(), program_.end(),
	    [to](const Dwarf_Op &op) { return op.offset == to; });
	if (there == program_.end())
		return fail(outcome::malformed);
	next_ = static_cast<std::size_t>(there - program_.begin());
}

bool
machine::push_constant(const Dwarf_Op &op) noexcept
{
	const word number = static_cast<word>(op.number);
	if (op.atom >= DW_OP_lit0 && op.atom <= DW_OP_lit31)
		return push(op.atom - DW_OP_lit0), true;
	if (op.atom >= DW_OP_breg0 && op.atom <= DW_OP_breg31)
		return push_register(op.atom - DW_OP_breg0, number), true;
	switch (op.atom) {
	case DW_OP_addr:
	case DW_OP_const1u: case DW_OP_const1s: case DW_OP_const2u:
	case DW_OP_const2s: case DW_OP_const4u: case DW_OP_const4s:
	case DW_OP_const8u: case DW_OP_const8s: case DW_OP_constu:
	case DW_OP_consts:
		push(number);
		return true;
	case DW_OP_bregx:
		push_register(number, static_cast<word>(op.number2));
		return true;
	case DW_OP_call_frame_cfa:
		if (cfa_)
			push(*cfa_);
		else
			fail(outcome::malformed);
		return true;
	default:
		return false;
	}
}

bool
machine::shuffle(const Dwarf_Op &op) noexcept
{
	switch (op.atom) {
	case DW_OP_dup: pick(0); break;
	case DW_OP_over: pick(1); break;
	case DW_OP_pick: pick(op.number); break;
	case DW_OP_drop: pop(); break;
	case DW_OP_nop: break;
	case DW_OP_swap: sink(2); break;
	case DW_OP_rot: sink(3); break;
	default: return false;
	}
	return true;
}

bool
machine::unary(const Dwarf_Op &op) noexcept
{
	switch (op.atom) {
	case DW_OP_deref: load(sizeof(word)); break;
	case DW_OP_deref_size: load(op.number); break;
	case DW_OP_plus_uconst:
		push(pop() + static_cast<word>(op.number));
		break;
	case DW_OP_neg: push(0 - pop()); break;
	case DW_OP_not: push(~pop()); break;
	case DW_OP_abs:
		pick(0);
		if (to_signed(pop()) < 0)
			push(0 - pop());
		break;
	case DW_OP_skip: jump(op); break;
	case DW_OP_bra:
		if (pop() != 0)
			jump(op);
		break;
	default: return false;
	}
	return true;
}

// INT_MIN / -1 is the other division that has no answer.
word
divided(word a, word b) noexcept
{
	return b == 0xffffffff ? 0 - a :
	    static_cast<word>(to_signed(a) / to_signed(b));
}

bool
machine::binary(const Dwarf_Op &op) noexcept
{
	if (op.atom < DW_OP_and || op.atom > DW_OP_ne)
		return false;
	const word b = pop(), a = pop();
	if (b == 0 && (op.atom == DW_OP_div || op.atom == DW_OP_mod)) {
		fail(outcome::malformed);
		return true;
	}
	switch (op.atom) {
	case DW_OP_and: push(a & b); break;
	case DW_OP_or: push(a | b); break;
	case DW_OP_xor: push(a ^ b); break;
	case DW_OP_plus: push(a + b); break;
	case DW_OP_minus: push(a - b); break;
	case DW_OP_mul: push(a * b); break;
	case DW_OP_div: push(divided(a, b)); break;
	case DW_OP_mod: push(a % b); break;
	case DW_OP_shl: push(b > 31 ? 0 : a << b); break;
	case DW_OP_shr: push(b > 31 ? 0 : a >> b); break;
	case DW_OP_shra:
		push(static_cast<word>(to_signed(a) >> std::min(b, 31u)));
		break;
	case DW_OP_eq: push(a == b); break;
	case DW_OP_ne: push(a != b); break;
	case DW_OP_ge: push(to_signed(a) >= to_signed(b)); break;
	case DW_OP_gt: push(to_signed(a) > to_signed(b)); break;
	case DW_OP_le: push(to_signed(a) <= to_signed(b)); break;
	case DW_OP_lt: push(to_signed(a) < to_signed(b)); break;
	default: fail(outcome::malformed);
	}
	return true;
}

// What says what the result is; nothing may follow.
bool
machine::end(const Dwarf_Op &op) noexcept
{
	const bool reg = op.atom >= DW_OP_reg0 && op.atom <= DW_OP_reg31;
	if (reg || op.atom == DW_OP_regx)
		result_ = {ia32_result::is_register, reg ?
		    op.atom - DW_OP_reg0 + 0u : static_cast<word>(op.number)};
	else if (op.atom == DW_OP_stack_value)
		result_.what = ia32_result::is_value;
	else
		return false;
	if (next_ != program_.size())
		fail(outcome::malformed);
	return true;
}

void
machine::step(const Dwarf_Op &op) noexcept
{
	if (!push_constant(op) && !unary(op) && !binary(op) && !shuffle(op) &&
	    !end(op))
		fail(outcome::malformed);
}

outcome
machine::run(ia32_result &to) noexcept
{
	for (int steps = 0; next_ < program_.size(); steps++) {
		if (steps == steps_max)
			return outcome::malformed;
		step(program_[next_++]);
		if (error_ != outcome::stepped)
			return error_;
	}
	if (result_.what != ia32_result::is_register)
		result_.number = pop();
	if (error_ == outcome::stepped)
		to = result_;
	return error_;
}

} // namespace

outcome
ia32_evaluate(std::span<const Dwarf_Op> program, const ia32_registers &regs,
    unwind::memory &words, std::optional<std::uint32_t> cfa, ia32_result &to)
    noexcept
{
	return machine(program, regs, words, cfa).run(to);
}

} // namespace stack9::process
