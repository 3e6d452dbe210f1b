// Makes one step by a row and all registers of this CPU.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "full.h"

#include "expression.h"
#include "row_here.h"
#include "row_step.h"

namespace stack9::unwind {

namespace {

struct this_cpu {
	using word = std::uintptr_t;
	using registers = unwind::registers;
	static constexpr int sp = register_sp, fp = register_fp,
	    pc = register_pc;
	static constexpr std::uint64_t kept = kept_by_calls;

	static word strip(word w) noexcept { return unwind::strip(w); }
	static outcome
	evaluate(std::span<const std::byte> e, const registers &r, memory &m,
	    std::optional<word> pushed, word &value) noexcept
	{
		return unwind::evaluate(e, r, m, pushed, value);
	}
};

} // namespace

outcome
full_step(const row &r, memory &m, registers &regs) noexcept
{
	return step_by_row<this_cpu>(r, m, regs);
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
