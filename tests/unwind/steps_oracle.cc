// Takes stacks by libunwind.  libunwind's header names what it shares with
// others, so this file is kept apart.
//
// SPDX-License-Identifier: BSD-2-Clause
#define UNW_LOCAL_ONLY
#include <libunwind.h>

#include "steps_engines.h"

namespace steps {

std::uint32_t
libunwind(const ucontext_t &uc, address *pcs, std::uint32_t max) noexcept
{
	// It would mix up the first instruction of a function and the return
	// address after a call that ends the one before.
	unw_set_caching_policy(unw_local_addr_space, UNW_CACHE_NONE);
	unw_context_t context = uc;
	unw_cursor_t cursor;
	unw_init_local2(&cursor, &context, UNW_INIT_SIGNAL_FRAME);
	std::uint32_t depth = 0;
	do {
		unw_word_t pc = 0;
		unw_get_reg(&cursor, UNW_REG_IP, &pc);
		if (pc == 0)
			break;
		pcs[depth++] = pc;
	} while (depth < max && unw_step(&cursor) > 0);
	return depth;
}

} // namespace steps
