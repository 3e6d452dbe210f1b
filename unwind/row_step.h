// Makes one step by a row, with all registers of a CPU: this one, or one of a
// program for another.
//
// Cpu has the types word and registers, the DWARF numbers sp, fp and pc, the
// mask `kept` of the registers that a callee keeps without its row mentioning
// them, strip(pc), and the evaluate() of expression.h.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <optional>

#include "begin.h"
#include "memory.h"
#include "outcome.h"
#include "row.h"
#include "rule_of_row.h"

namespace stack9::unwind {

template <class Cpu>
class stepping_by {
public:
	using word = typename Cpu::word;
	using registers = typename Cpu::registers;

	stepping_by(const row &r, memory &m, const registers &from) noexcept
	    : row_(r), memory_(m), from_(from)
	{
	}

	outcome run(registers &next) noexcept;

private:
	outcome find_cfa() noexcept;
	outcome find(int number, word &value) noexcept;
	outcome find_pc(registers &next) noexcept;
	bool keeps(int number) const noexcept;
	bool returns_by_register() const noexcept;
	bool is_by_fp() const noexcept;
	bool progresses(word sp) const noexcept;

	const place &
	place_of(int number) const noexcept
	{
		return row_.places[static_cast<std::size_t>(number)];
	}

	outcome
	known(int number, word &value) const noexcept
	{
		if (!from_.knows(number))
			return outcome::no_register;
		value = from_.value[static_cast<std::size_t>(number)];
		return outcome::stepped;
	}

	outcome
	loaded(word at, word &value) noexcept
	{
		return memory_.read(at, &value, sizeof value) ?
		    outcome::stepped : outcome::no_memory;
	}

	const row	&row_;
	memory		&memory_;
	const registers	&from_;
	word		cfa_ = 0;
};

template <class Cpu>
outcome
stepping_by<Cpu>::find_cfa() noexcept
{
	if (row_.cfa_register < 0)
		return Cpu::evaluate(row_.cfa_expression, from_, memory_, {},
		    cfa_);
	const outcome o = known(row_.cfa_register, cfa_);
	cfa_ += static_cast<word>(row_.cfa_offset);
	return o;
}

// A callee keeps some registers without its row mentioning them.
template <class Cpu>
bool
stepping_by<Cpu>::keeps(int number) const noexcept
{
	return (Cpu::kept >> number & 1) != 0;
}

template <class Cpu>
outcome
stepping_by<Cpu>::find(int number, word &value) noexcept
{
	const place &p = place_of(number);
	const auto at = [&] {
		return cfa_ + static_cast<word>(p.number);
	};

	switch (p.what) {
	case place::unspecified:
		if (number == Cpu::sp)
			return value = cfa_, outcome::stepped;
		return keeps(number) ? known(number, value) :
		    outcome::no_register;
	case place::same:
		return known(number, value);
	case place::undefined:
		return outcome::no_register;
	case place::offset:
		return loaded(at(), value);
	case place::value_offset:
		return value = at(), outcome::stepped;
	case place::in_register:
		return known(static_cast<int>(p.number), value);
	case place::expression:
		if (const outcome o = Cpu::evaluate(p.bytes(), from_, memory_,
		    cfa_, value); o != outcome::stepped)
			return o;
		return loaded(value, value);
	case place::value_expression:
		return Cpu::evaluate(p.bytes(), from_, memory_, cfa_, value);
	}
	return outcome::malformed;
}

// The expression of a function that has aligned its stack begins with the frame
// pointer, too.
template <class Cpu>
bool
stepping_by<Cpu>::is_by_fp() const noexcept
{
	cursor c(row_.cfa_expression);
	std::int64_t offset;
	return row_.cfa_register == Cpu::fp || (row_.cfa_register < 0 &&
	    takes_base(c, Cpu::fp, offset));
}

// Finds the return address in its column.  On x86-64 the column is not a
// register of the CPU; on aarch64 it is the link register, in which a leaf
// function leaves the address.
template <class Cpu>
outcome
stepping_by<Cpu>::find_pc(registers &next) noexcept
{
	const int column = row_.return_column;
	const auto how = place_of(column).what;
	word pc = 0;

	if (how == place::undefined)
		return outcome::end;
	if (column == Cpu::pc &&
	    (how == place::unspecified || how == place::same))
		return outcome::malformed;
	if (const outcome o = how == place::unspecified ? known(column, pc) :
	    find(column, pc); o != outcome::stepped)
		return o;
	pc = Cpu::strip(pc);
	// With a signal, 0 is where a call through NULL led.
	if (pc == 0 && !row_.signal_frame)
		return outcome::zero;
	next.forget(column);	// the call changed it
	next.set(Cpu::pc, pc);
	return outcome::stepped;
}

template <class Cpu>
bool
stepping_by<Cpu>::returns_by_register() const noexcept
{
	const auto how = place_of(row_.return_column).what;
	return how == place::unspecified || how == place::same ||
	    how == place::in_register;
}

// The caller's frame is further out, except where a signal switched stacks.
// Only an interrupted function may have put nothing on the stack.
template <class Cpu>
bool
stepping_by<Cpu>::progresses(word sp) const noexcept
{
	return row_.signal_frame || !from_.knows(Cpu::sp) ||
	    sp > from_.value[Cpu::sp] || (from_.exact &&
	    sp == from_.value[Cpu::sp] && returns_by_register());
}

template <class Cpu>
outcome
stepping_by<Cpu>::run(registers &next) noexcept
{
	if (const outcome o = find_cfa(); o != outcome::stepped)
		return place_of(row_.return_column).what == place::undefined ?
		    outcome::end : o;
	for (int n = 0; n < registers::count; n++) {
		word value = 0;
		if (n != row_.return_column && find(n, value) ==
		    outcome::stepped)
			next.set(n, value);
	}
	const outcome how = find_pc(next);
	if (how != outcome::stepped && how != outcome::zero)
		return how;
	if (!next.knows(Cpu::sp))
		return outcome::no_register;
	if (!progresses(next.value[Cpu::sp]))
		return outcome::malformed;
	next.exact = row_.interrupted();
	return how != outcome::zero ? how : outcome_of_zero(is_by_fp(),
	    next.knows(Cpu::fp) ? next.value[Cpu::fp] : 0);
}

// Changes the registers from a frame's to its caller's.  On any other outcome
// than stepped they stay as they were, but sp: a return address of 0 makes it
// the CFA.
template <class Cpu>
outcome
step_by_row(const row &r, memory &m, typename Cpu::registers &regs) noexcept
{
	typename Cpu::registers next;
	const outcome o = stepping_by<Cpu>(r, m, regs).run(next);

	if (o == outcome::stepped)
		regs = next;
	else if (o == outcome::zero || o == outcome::strayed)
		regs.set(Cpu::sp, next.value[Cpu::sp]);
	return o;
}

} // namespace stack9::unwind
