// Takes stacks by walk_interrupted() and by stack9_save_self().
//
// SPDX-License-Identifier: BSD-2-Clause
#include "own_save.h"
#include "steps_engines.h"

#include <algorithm>


#include "unwind/walk.h"

namespace steps {

namespace {

std::uint32_t
told(std::uint32_t depth, bool whole, address *pcs, std::uint32_t max) noexcept
{
	if (!whole && depth < max)
		pcs[depth++] = 0;
	return depth;
}

} // namespace

std::uint32_t
interrupted(const ucontext_t &uc, address *pcs, std::uint32_t max) noexcept
{
	using namespace stack9::unwind;
	const walked w = walk_interrupted(uc, pcs, max);
	return told(w.depth, (w.how == outcome::end ||
	    w.how == outcome::zero) && w.dropped == 0, pcs, max);
}

std::uint32_t
saved_self(const ucontext_t &uc, address *pcs, std::uint32_t max) noexcept
{
	stack9::stack_record rec{};
	rec.pcs = pcs;
	rec.max = max;
	if (own::save_self(&rec) != 0)
		return 0;
	const std::uint32_t depth = told(rec.depth,
	    rec.why == STACK9_WHY_NONE && rec.dropped == 0, pcs, max);
	// After this, on_trap() and what it calls comes the trampoline, whose
	// address is below the context.
	const auto end = pcs + std::min(depth, std::uint32_t{5});
	const auto trampoline = std::find(pcs, end,
	    reinterpret_cast<const address *>(&uc)[-1]);
	if (trampoline == end)
		return depth;
	return static_cast<std::uint32_t>(std::copy(trampoline + 1,
	    pcs + depth, pcs) - pcs);
}

} // namespace steps
