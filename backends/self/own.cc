// Defines the route "rules".  It walks the calling thread's own stack by
// unwind/.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "routes.h"

#include "unwind/generation.h"
#include "unwind/walk.h"

namespace stack9::self {
namespace {

// Begins at the caller if nothing is known of the first frame.
unwind::frame
begin_at(const origin &first, const origin &here) noexcept
{
	if (first.sp != 0)
		return {first.pc, first.sp, first.fp};
	unwind::frame f{here.pc, here.sp, here.fp};
	if (first.pc != 0)
		unwind::walk_out(first.pc, f);
	return f;
}

} // namespace

verdict
rules_route::can() noexcept
{
	return unwind::code_generation.known() ? verdict{0, nullptr} :
	    verdict{EOPNOTSUPP, "this C library does not say where it counts "
		"the objects that it loads"};
}

int
rules_route::save(stack_record &rec, const origin &from) noexcept
{
	const unwind::frame first = begin_at(from, STACK9_ORIGIN());
	const unwind::walked w = unwind::walk_own(first, rec.pcs, rec.max,
	    unwind::counting::yes);
	if (w.how == unwind::outcome::end && w.dropped == 0 && !w.guessed)
	    [[likely]] {
		rec.depth = w.depth;	// and nothing to explain
		return 0;
	}
	explain(w, rec);
	return 0;
}

quick_stack
rules_route::save_pcs(std::uintptr_t pc, std::uintptr_t sp, std::uintptr_t fp,
    std::uintptr_t *pcs, std::uint32_t max) noexcept
{
	return unwind::walk_own(pc, sp, fp, pcs, max);
}

constinit rules_route own_stack("rules",
    "the calling thread's own stack, by unwind rules kept for each pc",
    10);

} // namespace stack9::self
