// The stack machine of DWARF expressions (DWARF 5, 2.5.1), over registers
// that need not all be known.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "expression.h"

#include <array>

#include "cursor.h"

namespace stack9::unwind {

namespace {

enum op : std::uint8_t {
	deref = 0x06, const1u = 0x08, const1s, const2u, const2s, const4u,
	const4s, const8u, const8s, constu, consts, dup, drop, over, pick, swap,
	rot, abs_ = 0x19, and_, div, minus, mod, mul, neg, not_, or_, plus,
	plus_uconst, shl, shr, shra, xor_, bra, eq, ge, gt, le, lt, ne, skip,
	lit0 = 0x30, lit31 = 0x4f, breg0 = 0x70, breg31 = 0x8f, bregx = 0x92,
	deref_size = 0x94, nop = 0x96,
};

// What libdwfl allows, too; the longest known in use has some 20 steps.
constexpr int steps_max = 0x1000;
constexpr std::size_t stack_max = 64;

using word = std::uintptr_t;

constexpr std::intptr_t
to_signed(word w) noexcept
{
	return static_cast<std::intptr_t>(w);
}

constexpr word
widened(std::int64_t n) noexcept
{
	return static_cast<word>(n);
}

class machine {
public:
	machine(std::span<const std::byte> program, const registers &regs,
	    memory &m) noexcept
	    : program_(program), c_(program), regs_(regs), memory_(m)
	{
	}

	outcome run(word &value) noexcept;

	void
	push(word w) noexcept
	{
		if (depth_ == stack_max)
			error_ = outcome::malformed;
		else
			stack_[depth_++] = w;
	}

private:
	void step(std::uint8_t what) noexcept;
	bool push_constant(std::uint8_t what) noexcept;
	bool shuffle(std::uint8_t what) noexcept;
	bool unary(std::uint8_t what) noexcept;
	bool binary(std::uint8_t what) noexcept;
	bool jump(std::uint8_t what) noexcept;
	void push_register(std::uint64_t number) noexcept;
	void load(std::size_t size) noexcept;
	void pick_from(std::size_t below) noexcept;

	word
	pop() noexcept
	{
		if (depth_ != 0)
			return stack_[--depth_];
		error_ = outcome::malformed;
		return 0;
	}

	std::span<const std::byte> program_;
	cursor		c_;
	const registers	&regs_;
	memory		&memory_;
	outcome		error_ = outcome::stepped;
	std::size_t	depth_ = 0;
	std::array<word, stack_max> stack_;
};

void
machine::push_register(std::uint64_t number) noexcept
{
	const std::int64_t offset = c_.sleb();

	if (number >= register_count || !regs_.knows(static_cast<int>(number)))
		error_ = outcome::no_register;
	else
		push(regs_.value[number] + widened(offset));
}

void
machine::load(std::size_t size) noexcept
{
	const word at = pop();
	word w = 0;	// both CPUs are little-endian

	if (size == 0 || size > sizeof w)
		error_ = outcome::malformed;
	else if (error_ == outcome::stepped && !memory_.read(at, &w, size))
		error_ = outcome::no_memory;
	push(w);
}

void
machine::pick_from(std::size_t below) noexcept
{
	if (below >= depth_)
		error_ = outcome::malformed;
	else
		push(stack_[depth_ - 1 - below]);
}

bool
machine::push_constant(std::uint8_t what) noexcept
{
	if (what >= lit0 && what <= lit31)
		return push(what - lit0), true;
	switch (what) {
	case const1u: push(c_.fixed<std::uint8_t>()); break;
	case const1s: push(widened(c_.fixed<std::int8_t>())); break;
	case const2u: push(c_.fixed<std::uint16_t>()); break;
	case const2s: push(widened(c_.fixed<std::int16_t>())); break;
	case const4u: push(c_.fixed<std::uint32_t>()); break;
	case const4s: push(widened(c_.fixed<std::int32_t>())); break;
	case const8u:
	case const8s: push(c_.fixed<std::uint64_t>()); break;
	case constu: push(c_.uleb()); break;
	case consts: push(widened(c_.sleb())); break;
	default: return false;
	}
	return true;
}

bool
machine::shuffle(std::uint8_t what) noexcept
{
	switch (what) {
	case dup: pick_from(0); break;
	case drop: pop(); break;
	case over: pick_from(1); break;
	case pick: pick_from(c_.fixed<std::uint8_t>()); break;
	case swap:
	case rot: {	// the top goes below the next one, or two
		const word top = pop(), next = pop();
		const word third = what == rot ? pop() : 0;
		push(top);
		if (what == rot)
			push(third);
		push(next);
		break;
	}
	default: return false;
	}
	return true;
}

bool
machine::unary(std::uint8_t what) noexcept
{
	switch (what) {
	case deref: load(sizeof(word)); break;
	case deref_size: load(c_.fixed<std::uint8_t>()); break;
	case plus_uconst: push(pop() + c_.uleb()); break;
	case neg: push(-pop()); break;
	case not_: push(~pop()); break;
	case abs_: {
		const word w = pop();
		push(to_signed(w) < 0 ? -w : w);
		break;
	}
	default: return false;
	}
	return true;
}

// The quotient of the smallest number and -1 is itself here, as the hardware
// of aarch64 has it.
constexpr word
quotient(word a, word b) noexcept
{
	return to_signed(b) == -1 ? -a : widened(to_signed(a) / to_signed(b));
}

bool
machine::binary(std::uint8_t what) noexcept
{
	if (what < and_ || (what > xor_ && (what < eq || what > ne)) ||
	    what == neg || what == not_ || what == plus_uconst)
		return false;
	const word b = pop(), a = pop();
	if ((what == div || what == mod) && b == 0)
		return error_ = outcome::malformed, true;
	switch (what) {
	case and_: push(a & b); break;
	case div: push(quotient(a, b)); break;
	case minus: push(a - b); break;
	case mod: push(a % b); break;
	case mul: push(a * b); break;
	case or_: push(a | b); break;
	case plus: push(a + b); break;
	case shl: push(b < 64 ? a << b : 0); break;
	case shr: push(b < 64 ? a >> b : 0); break;
	case shra: push(widened(to_signed(a) >> (b < 64 ? b : 63))); break;
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

bool
machine::jump(std::uint8_t what) noexcept
{
	if (what != skip && what != bra)
		return false;
	const word distance = widened(c_.fixed<std::int16_t>());
	if (!c_.ok() || (what == bra && pop() == 0))
		return true;
	const word to = program_.size() - c_.left() + distance;
	c_ = cursor(program_);
	c_.skip(to);
	return true;
}

void
machine::step(std::uint8_t what) noexcept
{
	if (what >= breg0 && what <= breg31)
		push_register(what - breg0);
	else if (what == bregx)
		push_register(c_.uleb());
	else if (!push_constant(what) && !shuffle(what) && !unary(what) &&
	    !binary(what) && !jump(what) && what != nop)
		error_ = outcome::malformed;
	if (!c_.ok())
		error_ = outcome::malformed;
}

outcome
machine::run(word &value) noexcept
{
	for (int n = 0; c_.left() != 0; n++) {
		if (n == steps_max)
			return outcome::malformed;
		step(c_.fixed<std::uint8_t>());
		if (error_ != outcome::stepped)
			return error_;
	}
	const word top = pop();
	if (error_ == outcome::stepped)
		value = top;
	return error_;
}

} // namespace

outcome
evaluate(std::span<const std::byte> expression, const registers &regs,
    memory &m, std::optional<std::uintptr_t> pushed,
    std::uintptr_t &value) noexcept
{
	machine stack(expression, regs, m);

	if (pushed)
		stack.push(*pushed);
	return stack.run(value);
}

} // namespace stack9::unwind
