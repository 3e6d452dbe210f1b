// Steps through the code of any CPU by the rows of its file.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "process/tables.h"
#include "unwind/expression_decoder.h"
#include "unwind/row_step.h"

namespace stack9::remote {

// Completes a description of arch/described.h for steps by rows.
template <class Cpu>
struct stepped : Cpu {
	using word = typename Cpu::word;
	using registers = typename Cpu::registers;

	static unwind::outcome
	evaluate(std::span<const std::byte> e, const registers &r,
	    unwind::memory &m, std::optional<word> pushed, word &value)
	    noexcept
	{
		return unwind::evaluate_by(e, r, m, pushed, value);
	}
};

// Changes the registers from a frame's to its caller's, by the file that the
// frame's code is from.  lookup is the pc's p_vaddr there, less 1 for a return
// address.  On any other outcome than stepped the registers stay as they were,
// except sp: a return address of 0 makes it the CFA.
template <class Cpu>
unwind::outcome
step_in_file(process::file &f, std::uint64_t lookup, unwind::memory &words,
    typename Cpu::registers &regs) noexcept
{
	using unwind::found;
	process::tables *const t = process::tables::of(f);
	unwind::row r;
	if (t == nullptr || f.is_64() != Cpu::is_64 ||
	    f.machine() != Cpu::machine)
		return unwind::outcome::no_info;
	found how = t->eh_frame_row(f, lookup, r);
	if (how == found::no)
		how = t->debug_frame_row(f, lookup, r);
	if (how == found::no)
		return unwind::outcome::no_info;
	return how == found::malformed ? unwind::outcome::malformed :
	    unwind::step_by_row<stepped<Cpu>>(r, words, regs);
}

} // namespace stack9::remote
