// User stacks of threads of other processes: copied by a route, then unwound.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

#include "core/seam/backend.h"
#include "core/seam/space.h"

namespace stack9 {

enum class stopping : bool {
	never,		// by routes that do not stop the thread
	allowed
};

// One user stack.  kernel: its kernel stack too, of the same moment if it can
// be had; or NULL.  pcs and max given in both, the rest written; user.space as
// for stack9_save().
void save_sides(const stack9_thread &td, stack9_record *kernel,
    stack9_record &user, stopping = stopping::allowed) noexcept;

// Turns a copy into frames: rec has who it is, and in rec.space what to unwind
// with.  The same route is asked for more of the stack where that is wanted.
// 0; EAGAIN: the thread ran before all of its stack was copied.
int unwind_copy(route &, user_copy &, stack9_record &rec) noexcept;

} // namespace stack9
