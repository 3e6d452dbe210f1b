// Steps through 32-bit x86 code by the rows of its file.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "ia32_cfi.h"

#include <elf.h>

#include "process/tables.h"
#include "unwind/expression_decoder.h"
#include "unwind/row_step.h"

namespace stack9::remote {
namespace {

using process::tables;
using unwind::found;
using unwind::outcome;

struct ia32 {
	using word = std::uint32_t;
	using registers = ia32_registers;
	static constexpr int sp = ia32_registers::sp, fp = ia32_registers::fp,
	    pc = ia32_registers::pc;
	// ebx, ebp, esi, edi
	static constexpr std::uint64_t kept = 1 << 3 | 1 << 5 | 1 << 6 | 1 << 7;

	static word strip(word w) noexcept { return w; }
	static outcome
	evaluate(std::span<const std::byte> e, const registers &r,
	    unwind::memory &m, std::optional<word> pushed, word &value)
	    noexcept
	{
		return unwind::evaluate_by(e, r, m, pushed, value);
	}
};

} // namespace

outcome
ia32_step(file &f, std::uint64_t lookup, unwind::memory &words,
    ia32_registers &regs) noexcept
{
	tables *const t = tables::of(f);
	unwind::row r;
	if (t == nullptr || f.is_64() || f.machine() != EM_386)
		return outcome::no_info;
	found how = t->eh_frame_row(f, lookup, r);
	if (how == found::no)
		how = t->debug_frame_row(f, lookup, r);
	if (how == found::no)
		return outcome::no_info;
	return how == found::malformed ? outcome::malformed :
	    unwind::step_by_row<ia32>(r, words, regs);
}

} // namespace stack9::remote
