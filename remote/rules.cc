// Gives the rules of the frames of a stack that was walked before.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core/seam/reader.h"
#include "core/seam/space.h"

#include "code.h"
#include "memory.h"

namespace stack9 {

bool
is_interrupted(std::uint32_t rule) noexcept
{
	return (rule & jit_rule) == 0 && unwind::rule(rule).interrupted();
}

bool
stack_rules(stack9_space &space, const std::uintptr_t *pcs, std::uint32_t n,
    std::uint32_t *rules) noexcept
{
	if (reader *const r = the_unwinder())
		return r->rules(space, pcs, n, rules);
	const user_copy nothing;
	remote::copied_memory words(space, nothing, space.thread());
	remote::remote_code code(space, words);
	bool exact = true;
	for (std::uint32_t i = 0; i < n; i++) {
		const unwind::rule r = code.rule_of(pcs[i] - !exact);
		rules[i] = r.kind() == unwind::kind::absent ?
		    remote::guess_rule(code, words, pcs[i], exact) : r.bits();
		exact = r.interrupted();
	}
	return true;
}

} // namespace stack9
