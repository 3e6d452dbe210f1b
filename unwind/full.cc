// Makes one step by a row and all registers.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "full.h"

#include "begin.h"
#include "expression.h"
#include "row_here.h"
#include "rule_of_row.h"

namespace stack9::unwind {

namespace {

class stepping {
public:
	stepping(const row &r, memory &m, const registers &from) noexcept
	    : row_(r), memory_(m), from_(from)
	{
	}

	outcome run(registers &next) noexcept;

private:
	outcome find_cfa() noexcept;
	outcome find(int number, std::uintptr_t &value) noexcept;
	outcome find_pc(registers &next) noexcept;
	bool keeps(int number) const noexcept;
	bool returns_by_register() const noexcept;
	bool is_by_fp() const noexcept;
	bool progresses(std::uintptr_t sp) const noexcept;

	const place &
	place_of(int number) const noexcept
	{
		return row_.places[static_cast<std::size_t>(number)];
	}

	outcome
	known(int number, std::uintptr_t &value) const noexcept
	{
		if (!from_.knows(number))
			return outcome::no_register;
		value = from_.value[static_cast<std::size_t>(number)];
		return outcome::stepped;
	}

	outcome
	loaded(std::uintptr_t at, std::uintptr_t &value) noexcept
	{
		return memory_.word(at, value) ? outcome::stepped :
		    outcome::no_memory;
	}

	const row	&row_;
	memory		&memory_;
	const registers	&from_;
	std::uintptr_t	cfa_ = 0;
};

outcome
stepping::find_cfa() noexcept
{
	if (row_.cfa_register < 0)
		return evaluate(row_.cfa_expression, from_, memory_, {}, cfa_);
	const outcome o = known(row_.cfa_register, cfa_);
	cfa_ += static_cast<std::uintptr_t>(row_.cfa_offset);
	return o;
}

// A callee keeps some registers without its row mentioning them.
bool
stepping::keeps(int number) const noexcept
{
	return (kept_by_calls >> number & 1) != 0;
}

outcome
stepping::find(int number, std::uintptr_t &value) noexcept
{
	const place &p = place_of(number);
	const auto at = [&] {
		return cfa_ + static_cast<std::uintptr_t>(p.number);
	};

	switch (p.what) {
	case place::unspecified:
		if (number == register_sp)
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
		if (const outcome o = evaluate(p.bytes(), from_, memory_, cfa_,
		    value); o != outcome::stepped)
			return o;
		return loaded(value, value);
	case place::value_expression:
		return evaluate(p.bytes(), from_, memory_, cfa_, value);
	}
	return outcome::malformed;
}

// The expression of a function that has aligned its stack begins with the frame
// pointer, too.
bool
stepping::is_by_fp() const noexcept
{
	cursor c(row_.cfa_expression);
	std::int64_t offset;
	return row_.cfa_register == register_fp || (row_.cfa_register < 0 &&
	    takes_base(c, register_fp, offset));
}

// Finds the return address in its column.  On x86-64 the column is not a
// register of the CPU; on aarch64 it is the link register, where a leaf
// function leaves the address.
outcome
stepping::find_pc(registers &next) noexcept
{
	const int column = row_.return_column;
	const auto how = place_of(column).what;
	std::uintptr_t pc = 0;

	if (how == place::undefined)
		return outcome::end;
	if (column == register_pc &&
	    (how == place::unspecified || how == place::same))
		return outcome::malformed;
	if (const outcome o = how == place::unspecified ? known(column, pc) :
	    find(column, pc); o != outcome::stepped)
		return o;
	pc = strip(pc);
	// With a signal, 0 is where a call through NULL led.
	if (pc == 0 && !row_.signal_frame)
		return outcome::zero;
	next.known &= ~(std::uint64_t{1} << column);	// the call changed it
	next.set(register_pc, pc);
	return outcome::stepped;
}

bool
stepping::returns_by_register() const noexcept
{
	const auto how = place_of(row_.return_column).what;
	return how == place::unspecified || how == place::same ||
	    how == place::in_register;
}

// The caller's frame is further out, except where a signal switched stacks.
// Only an interrupted function may have put nothing on the stack.
bool
stepping::progresses(std::uintptr_t sp) const noexcept
{
	return row_.signal_frame || !from_.knows(register_sp) ||
	    sp > from_.sp() || (from_.exact && sp == from_.sp() &&
	    returns_by_register());
}

outcome
stepping::run(registers &next) noexcept
{
	if (const outcome o = find_cfa(); o != outcome::stepped)
		return place_of(row_.return_column).what == place::undefined ?
		    outcome::end : o;
	for (int n = 0; n < register_count; n++) {
		std::uintptr_t value = 0;
		if (n != row_.return_column && find(n, value) ==
		    outcome::stepped)
			next.set(n, value);
	}
	const outcome how = find_pc(next);
	if (how != outcome::stepped && how != outcome::zero)
		return how;
	if (!next.knows(register_sp))
		return outcome::no_register;
	if (!progresses(next.sp()))
		return outcome::malformed;
	next.exact = row_.interrupted();
	return how != outcome::zero ? how : outcome_of_zero(is_by_fp(),
	    next.knows(register_fp) ? next.fp() : 0);
}

} // namespace

outcome
full_step(const row &r, memory &m, registers &regs) noexcept
{
	registers next;
	const outcome o = stepping(r, m, regs).run(next);

	if (o == outcome::stepped)
		regs = next;
	else if (o == outcome::zero || o == outcome::strayed)
		regs.set(register_sp, next.sp());
	return o;
}

outcome
full_step_here(memory &m, registers &regs) noexcept
{
	row r;

	if (!regs.knows(register_pc))
		return outcome::no_register;
	switch (row_here(regs.lookup(), r)) {
	case found::no:
		return outcome::no_info;
	case found::malformed:
		return outcome::malformed;
	case found::yes:
		break;
	}
	return full_step(r, m, regs);
}

} // namespace stack9::unwind
