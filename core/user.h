// Captures user stacks of any thread.  For a thread of another process a route
// copies registers and stack, and the copy is unwound when no thread is stopped
// any more.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/routes.h"

namespace stack9 {

enum class stopping : bool {
	never,		// by routes that do not stop the thread
	allowed
};

// Captures one user stack.  If kernel is not NULL, it gets the kernel stack, of
// the same moment where a route takes both.  The caller sets pcs and max in
// both; the call writes the rest.  user.space is as for stack9_save().
void save_sides(const stack9_thread &td, stack9_record *kernel,
    stack9_record &user, stopping = stopping::allowed) noexcept;

// Captures one user stack of any process, as stack9_save().  first is the frame
// where the stack begins if td is the caller; see save_self().
int save_user(const stack9_thread &td, stack9_record &rec, const origin &first)
    noexcept;

// Turns a copy into frames.  rec says whose copy it is, and rec.space what to
// unwind with.  by is the route that made the copy; it is asked for more of the
// stack where the walk lacks memory.  If by is NULL, there is no more.
// 0; EAGAIN: the thread ran before all of its stack was copied.
int unwind_copy(copying_route *by, user_copy &, stack9_record &rec) noexcept;

} // namespace stack9
