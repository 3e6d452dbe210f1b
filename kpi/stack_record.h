// Lets records write straight into a struct stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <stack9/sys/stack.h>

#include "core/seam/record.h"

namespace stack9 {

inline stack_record
record_into(::stack &st) noexcept
{
	stack_record rec{};
	rec.pcs = st.pcs;
	rec.max = STACK_MAX;
	return rec;
}

// Clears the frames that a stack does not have, two at a time.  The compiler
// makes a call of memset(3) of a plain loop.  That takes as long as a capture
// needs for four frames.
inline void
clear_from(::stack &st, std::uint32_t depth) noexcept
{
	typedef vm_offset_t two __attribute__((vector_size(2 *
	    sizeof(vm_offset_t)), aligned(sizeof(vm_offset_t)), may_alias));
	vm_offset_t *at = st.pcs + depth, *const end = st.pcs + STACK_MAX;
	if ((STACK_MAX - depth) % 2 != 0)
		*at++ = 0;
	for (; at != end; at += 2) {
		*reinterpret_cast<two *>(at) = two{};
		asm("" : "+r"(at));
	}
}

// Clears what a route may have written and then taken back.
inline int
finish(::stack &st, const stack_record &rec, int error) noexcept
{
	const std::uint32_t depth = error == 0 ? rec.depth : 0;
	st.depth = static_cast<int>(depth);
	clear_from(st, depth);
	return error;
}

} // namespace stack9
