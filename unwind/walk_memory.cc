// Walks through a memory.  It tries rules first: they are quick, and know no
// registers but sp, fp and pc.  If a frame needs another register that a rule
// has dropped, it walks once more by rows.  These carry all registers along.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "walk.h"

#include <algorithm>

#include "begin.h"
#include "call.h"
#include "copied_row.h"
#include "passing.h"

namespace stack9::unwind {
namespace {

enum class by { rules, rows };

class walker {
public:
	walker(code &program, memory &words) noexcept
	    : program_(program), words_(words) {}

	walked walk(const registers &from, by what, std::uintptr_t *pcs,
	    std::uint32_t max) noexcept;
	// Returns true if the register that it lacked may have been known
	// before a step by a rule.
	bool let_go() const noexcept { return let_go_; }

private:
	outcome step() noexcept;
	outcome step_by_rule(rule) noexcept;
	outcome step_by_row() noexcept;

	code		&program_;
	memory		&words_;
	row		 row_;
	registers	 now_;
	by		 what_ = by::rules;
	bool		 let_go_ = false;
	bool		 by_rule_ = false;	// a step was by a rule
};

outcome
walker::step_by_rule(rule r) noexcept
{
	const int base = r.kind() == kind::sp ? register_sp : register_fp;
	if (!now_.knows(base) || !now_.knows(register_sp))
		return outcome::no_register;
	const std::uintptr_t cfa =
	    (base == register_sp ? now_.sp() : now_.fp()) + r.cfa();
	if (cfa <= now_.sp())
		return outcome::malformed;
	std::uintptr_t pc, fp = now_.fp();
	if (!words_.word(ra_slot(r, cfa), pc) ||
	    (r.saved() != 0 && !words_.word(fp_slot(r, cfa), fp)))
		return outcome::no_memory;
	pc = strip(pc);
	if (pc == 0) {
		now_.set(register_sp, cfa);
		return outcome_of_zero(base == register_fp, fp);
	}
	// The values of all other registers are dropped.
	constexpr std::uint64_t kept = std::uint64_t{1} << register_fp;
	now_.known &= kept;
	now_.exact = false;
	now_.set(register_pc, pc);
	now_.set(register_sp, cfa);
	if (r.saved() != 0)
		now_.set(register_fp, fp);
	by_rule_ = true;
	return outcome::stepped;
}

outcome
walker::step_by_row() noexcept
{
	const found there = program_.row_of(now_.lookup(), row_);
	if (there != found::yes)
		return there == found::no ? outcome::no_info :
		    outcome::malformed;
	const outcome how = full_step(row_, words_, now_);
	let_go_ = how == outcome::no_register && by_rule_;
	return how;
}

outcome
walker::step() noexcept
{
	if (what_ == by::rows)
		return step_by_row();
	const rule r = program_.rule_of(now_.lookup());
	switch (r.kind()) {
	case kind::sp:
	case kind::fp:
		return step_by_rule(r);
	case kind::end:
		return outcome::end;
	case kind::absent:
		return outcome::no_info;
	default:
		return step_by_row();
	}
}

walked
walker::walk(const registers &from, by what, std::uintptr_t *pcs,
    std::uint32_t max) noexcept
{
	walked w;
	passing without_info(program_, words_);
	now_ = from;
	what_ = what;
	while (w.how == outcome::stepped && w.depth < max) {
		pcs[w.depth++] = now_.pc();
		w.how = without_info.or_pass(step(), now_);
		let_go_ = let_go_ && w.how != outcome::stepped;
	}
	if (w.how == outcome::zero && program_.is_stack_end(now_.sp()))
		w.how = outcome::end;
	w.guessed = without_info.guessed();
	if (w.how == outcome::stepped) {
		w.how = outcome::limit;
		w.dropped = 1;	// at least
	}
	return w;
}

walked
walk_all(walker &w, const registers &from, std::uintptr_t *pcs,
    std::uint32_t max) noexcept
{
	const walked quick = w.walk(from, by::rules, pcs, max);
	return w.let_go() ? w.walk(from, by::rows, pcs, max) : quick;
}

// Returns true if the rule of the innermost frame leads to no caller.  One
// description may cover a whole interpreter, whose helpers are called without
// the frame that it describes.
bool
leads_nowhere(const walked &w, memory &words, const std::uintptr_t *pcs)
    noexcept
{
	if (w.depth == 1)
		return w.how == outcome::zero || w.how == outcome::strayed ||
		    w.how == outcome::malformed;
	return w.depth == 2 && w.how == outcome::no_info &&
	    !behind_call(words, pcs[1]);
}

} // namespace

walked
walk_memory(code &program, memory &words, registers from,
    std::uintptr_t *pcs, std::uint32_t max) noexcept
{
	max = std::min(max, frames_max);
	walker w(program, words);
	const walked first = walk_all(w, from, pcs, max);
	registers caller;
	if (max < 2 || !from.exact || !leads_nowhere(first, words, pcs) ||
	    !before_call(words, from, caller) ||
	    !behind_call(words, caller.pc()))
		return first;
	walked guessed = walk_all(w, caller, pcs + 1, max - 1);
	if (guessed.how != outcome::end && guessed.how != outcome::limit)
		return walk_all(w, from, pcs, max);
	guessed.depth++;
	guessed.guessed = true;
	return guessed;
}

walked
walk_memory(memory &words, registers from, std::uintptr_t *pcs,
    std::uint32_t max) noexcept
{
	copied_code here(words);
	return walk_memory(here, words, from, pcs, max);
}

} // namespace stack9::unwind
