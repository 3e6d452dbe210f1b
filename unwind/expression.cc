// Decodes an expression from its bytes, for the machine that executes it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "expression.h"

#include "cursor.h"
#include "expression_machine.h"

namespace stack9::unwind {

namespace {

using namespace operation;
using word = std::uintptr_t;

constexpr word
widened(std::int64_t n) noexcept
{
	return static_cast<word>(n);
}

class decoder {
public:
	decoder(std::span<const std::byte> program, const registers &regs,
	    memory &m) noexcept
	    : program_(program), c_(program), machine_(regs, m)
	{
	}

	void push(word w) noexcept { machine_.push(w); }
	outcome run(word &value) noexcept;

private:
	void step(std::uint8_t what) noexcept;
	word operand_of(std::uint8_t what) noexcept;
	bool jump(std::uint8_t what) noexcept;

	std::span<const std::byte> program_;
	cursor		c_;
	expression_machine<word, registers> machine_;
};

// An operation without an operand has 0.
word
decoder::operand_of(std::uint8_t what) noexcept
{
	switch (what) {
	case const1u:
	case register_or_0:
	case pick:
	case deref_size: return c_.fixed<std::uint8_t>();
	case const1s: return widened(c_.fixed<std::int8_t>());
	case const2u: return c_.fixed<std::uint16_t>();
	case const2s: return widened(c_.fixed<std::int16_t>());
	case const4u: return c_.fixed<std::uint32_t>();
	case const4s: return widened(c_.fixed<std::int32_t>());
	case const8u:
	case const8s: return c_.fixed<std::uint64_t>();
	case constu:
	case plus_uconst:
	case bregx: return c_.uleb();
	case consts: return widened(c_.sleb());
	}
	return what >= breg0 && what <= breg31 ? widened(c_.sleb()) : 0;
}

bool
decoder::jump(std::uint8_t what) noexcept
{
	if (what != skip && what != bra)
		return false;
	const word distance = widened(c_.fixed<std::int16_t>());
	if (!c_.ok() || (what == bra && machine_.pop() == 0))
		return true;
	const word to = program_.size() - c_.left() + distance;
	c_ = cursor(program_);
	c_.skip(to);
	return true;
}

void
decoder::step(std::uint8_t what) noexcept
{
	const word operand = operand_of(what);
	const word second = what == bregx ? widened(c_.sleb()) : 0;
	if (!machine_.apply(what, operand, second) && !jump(what))
		machine_.fail(outcome::malformed);
	if (!c_.ok())
		machine_.fail(outcome::malformed);
}

outcome
decoder::run(word &value) noexcept
{
	for (int n = 0; c_.left() != 0; n++) {
		if (n == expression_steps_max)
			return outcome::malformed;
		step(c_.fixed<std::uint8_t>());
		if (machine_.error() != outcome::stepped)
			return machine_.error();
	}
	const word top = machine_.pop();
	if (machine_.error() == outcome::stepped)
		value = top;
	return machine_.error();
}

} // namespace

outcome
evaluate(std::span<const std::byte> expression, const registers &regs,
    memory &m, std::optional<std::uintptr_t> pushed,
    std::uintptr_t &value) noexcept
{
	decoder program(expression, regs, m);

	if (pushed)
		program.push(*pushed);
	return program.run(value);
}

} // namespace stack9::unwind
