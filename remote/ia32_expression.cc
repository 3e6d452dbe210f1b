// Hands an expression that libdw has decoded to the machine that executes it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "ia32_expression.h"

#include <algorithm>

#include "unwind/expression_machine.h"

namespace stack9::remote {
namespace {

using namespace unwind::operation;
using unwind::outcome;
using word = std::uint32_t;

class decoder {
public:
	decoder(std::span<const Dwarf_Op> program, const ia32_registers &regs,
	    unwind::memory &words, std::optional<word> cfa) noexcept
	    : program_(program), cfa_(cfa), machine_(regs, words) {}

	outcome run(ia32_result &) noexcept;

private:
	void step(const Dwarf_Op &) noexcept;
	bool jump(const Dwarf_Op &) noexcept;
	bool push_address(const Dwarf_Op &) noexcept;
	bool end(const Dwarf_Op &) noexcept;

	std::span<const Dwarf_Op> program_;
	std::optional<word>	cfa_;
	unwind::expression_machine<word, ia32_registers> machine_;
	ia32_result		result_{ia32_result::is_address, 0};
	std::size_t		next_ = 0;
};

// The distance counts from the end of the jump.  The jump has 3 bytes.
bool
decoder::jump(const Dwarf_Op &from) noexcept
{
	if (from.atom != skip && from.atom != bra)
		return false;
	if (from.atom == bra && machine_.pop() == 0)
		return true;
	const Dwarf_Word to = from.offset + 3 + static_cast<Dwarf_Word>(
	    static_cast<std::int16_t>(from.number));
	const auto there = std::find_if(program_.begin(), program_.end(),
	    [to](const Dwarf_Op &op) { return op.offset == to; });
	if (there == program_.end())
		machine_.fail(outcome::malformed);
	else
		next_ = static_cast<std::size_t>(there - program_.begin());
	return true;
}

// libdw writes the CFA as an operation of its own.
bool
decoder::push_address(const Dwarf_Op &op) noexcept
{
	if (op.atom == addr)
		machine_.push(static_cast<word>(op.number));
	else if (op.atom == call_frame_cfa && cfa_)
		machine_.push(*cfa_);
	else
		return false;
	return true;
}

// An operation that says the kind of the result; nothing may follow it.
bool
decoder::end(const Dwarf_Op &op) noexcept
{
	const bool reg = op.atom >= reg0 && op.atom <= reg31;
	if (reg || op.atom == regx)
		result_ = {ia32_result::is_register, reg ?
		    op.atom - reg0 + 0u : static_cast<word>(op.number)};
	else if (op.atom == stack_value)
		result_.what = ia32_result::is_value;
	else
		return false;
	if (next_ != program_.size())
		machine_.fail(outcome::malformed);
	return true;
}

void
decoder::step(const Dwarf_Op &op) noexcept
{
	if (!machine_.apply(op.atom, static_cast<word>(op.number),
	    static_cast<word>(op.number2)) && !jump(op) &&
	    !push_address(op) && !end(op))
		machine_.fail(outcome::malformed);
}

outcome
decoder::run(ia32_result &to) noexcept
{
	for (int steps = 0; next_ < program_.size(); steps++) {
		if (steps == unwind::expression_steps_max)
			return outcome::malformed;
		step(program_[next_++]);
		if (machine_.error() != outcome::stepped)
			return machine_.error();
	}
	if (result_.what != ia32_result::is_register)
		result_.number = machine_.pop();
	if (machine_.error() == outcome::stepped)
		to = result_;
	return machine_.error();
}

} // namespace

outcome
ia32_evaluate(std::span<const Dwarf_Op> program, const ia32_registers &regs,
    unwind::memory &words, std::optional<std::uint32_t> cfa, ia32_result &to)
    noexcept
{
	return decoder(program, regs, words, cfa).run(to);
}

} // namespace stack9::remote
