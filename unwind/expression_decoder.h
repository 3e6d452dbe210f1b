// Decodes an expression from its bytes, for the machine that executes it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "cursor.h"
#include "expression_machine.h"

namespace stack9::unwind {

template <class Word, class Registers>
class expression_decoder {
public:
	expression_decoder(std::span<const std::byte> program,
	    const Registers &regs, memory &m) noexcept
	    : program_(program), c_(program), machine_(regs, m)
	{
	}

	void push(Word w) noexcept { machine_.push(w); }
	outcome run(Word &value) noexcept;

private:
	static constexpr Word
	widened(std::int64_t n) noexcept
	{
		return static_cast<Word>(n);
	}
	void step(std::uint8_t what) noexcept;
	Word operand_of(std::uint8_t what) noexcept;
	bool jump(std::uint8_t what) noexcept;

	std::span<const std::byte> program_;
	cursor		c_;
	expression_machine<Word, Registers> machine_;
};

// An operation without an operand has 0.
template <class Word, class Registers>
Word
expression_decoder<Word, Registers>::operand_of(std::uint8_t what) noexcept
{
	using namespace operation;
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
	case const8s:
		return static_cast<Word>(c_.fixed<std::uint64_t>());
	case constu:
	case plus_uconst:
	case bregx: return static_cast<Word>(c_.uleb());
	case consts: return widened(c_.sleb());
	}
	return what >= breg0 && what <= breg31 ? widened(c_.sleb()) : 0;
}

template <class Word, class Registers>
bool
expression_decoder<Word, Registers>::jump(std::uint8_t what) noexcept
{
	using namespace operation;
	if (what != skip && what != bra)
		return false;
	const Word distance = widened(c_.fixed<std::int16_t>());
	if (!c_.ok() || (what == bra && machine_.pop() == 0))
		return true;
	const Word to = program_.size() - c_.left() + distance;
	c_ = cursor(program_);
	c_.skip(to);
	return true;
}

template <class Word, class Registers>
void
expression_decoder<Word, Registers>::step(std::uint8_t what) noexcept
{
	const Word operand = operand_of(what);
	const Word second = what == operation::bregx ? widened(c_.sleb()) : 0;
	if (!machine_.apply(what, operand, second) && !jump(what))
		machine_.fail(outcome::malformed);
	if (!c_.ok())
		machine_.fail(outcome::malformed);
}

template <class Word, class Registers>
outcome
expression_decoder<Word, Registers>::run(Word &value) noexcept
{
	for (int n = 0; c_.left() != 0; n++) {
		if (n == expression_steps_max)
			return outcome::malformed;
		step(c_.fixed<std::uint8_t>());
		if (machine_.error() != outcome::stepped)
			return machine_.error();
	}
	const Word top = machine_.pop();
	if (machine_.error() == outcome::stepped)
		value = top;
	return machine_.error();
}

// Does what evaluate() of expression.h does, with the words and the registers
// of any CPU.
template <class Word, class Registers>
outcome
evaluate_by(std::span<const std::byte> expression, const Registers &regs,
    memory &m, std::optional<Word> pushed, Word &value) noexcept
{
	expression_decoder<Word, Registers> program(expression, regs, m);

	if (pushed)
		program.push(*pushed);
	return program.run(value);
}

} // namespace stack9::unwind
