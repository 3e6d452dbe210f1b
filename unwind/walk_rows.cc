// Walks this thread's stack by rows.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "walk.h"

#include <algorithm>

#include "guess.h"
#include "module.h"
#include "row_here.h"
#include "stacks.h"

namespace stack9::unwind {
namespace {

constexpr int own_frames_max = 64;	// the library's, around this frame

registers
registers_of(const frame &f) noexcept
{
	registers r;
	r.set(register_pc, f.pc);
	r.set(register_sp, f.sp);
	r.set(register_fp, f.fp);
	return r;
}

} // namespace

walked
walk_rows(registers now, std::uintptr_t *pcs, std::uint32_t max, counting c)
    noexcept
{
	own_memory words;
	walked w;
	std::uint32_t n = 0;
	while (w.how == outcome::stepped && n < frames_max &&
	    (n < max || c == counting::yes)) {
		if (n < max)
			pcs[n] = now.pc();
		n++;
		w.how = or_guess(full_step_here(words, now), words, now,
		    w.guessed, in_module, row_here);
	}
	if (w.how == outcome::stepped)
		w.how = outcome::limit;
	if (w.how == outcome::zero && ends_above(now.sp()))
		w.how = outcome::end;
	if (w.how == outcome::strayed && !ends_above(now.sp()))
		w.how = outcome::zero;
	w.depth = std::min(n, max);
	w.dropped = n - w.depth;
	return w;
}

[[gnu::noinline]] walked
walk_rows_from(const frame &first, std::uintptr_t *pcs, std::uint32_t max,
    counting c) noexcept
{
	registers now;
	own_memory words;
	take_registers(now);
	for (int i = 0; i < own_frames_max; i++) {
		if (now.pc() == first.pc && now.sp() == first.sp)
			return walk_rows(now, pcs, max, c);
		if (full_step_here(words, now) != outcome::stepped)
			break;
	}
	// It is not among them, so its three known registers have to do.
	return walk_rows(registers_of(first), pcs, max, c);
}

bool
walk_out(std::uintptr_t pc, frame &f) noexcept
{
	registers now = registers_of(f);
	own_memory words;
	for (int i = 0; i < own_frames_max; i++) {
		if (now.pc() == pc) {
			f = {pc, now.sp(), now.fp()};
			return true;
		}
		if (full_step_here(words, now) != outcome::stepped)
			return false;
	}
	return false;
}

} // namespace stack9::unwind
