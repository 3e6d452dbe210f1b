// Gives the rules of this process's code, and what a space has.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "core/seam/space.h"
#include "unwind/row_here.h"
#include "unwind/rule.h"

#include "space.h"

namespace stack9 {

bool
is_interrupted(std::uint32_t rule) noexcept
{
	return unwind::rule(rule).interrupted();
}

// Frames without unwind information have the rule 0: how they are left is for
// who walks another process.
bool
stack_rules(stack9_space &, const std::uintptr_t *pcs, std::uint32_t n,
    std::uint32_t *rules) noexcept
{
	bool exact = true;
	for (std::uint32_t i = 0; i < n; i++) {
		const unwind::rule r = unwind::rule_here(pcs[i] - !exact);
		rules[i] = r.kind() == unwind::kind::absent ? 0 : r.bits();
		exact = r.interrupted();
	}
	return true;
}

bool
space_has(stack9_space &s, const std::uintptr_t *pcs, std::uint32_t n) noexcept
{
	return std::all_of(pcs, pcs + n,
	    [&](std::uintptr_t pc) { return s.find(pc) != nullptr; });
}

} // namespace stack9
