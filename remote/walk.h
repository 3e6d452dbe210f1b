// Declares what the walks of copied stacks share, and the walk of stacks of
// other programs than this CPU's 64-bit ones.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "core/seam/record.h"

#include "process/space.h"
#include "unwind/walk.h"

namespace stack9::remote {

// Fills a record from a walk.  outermost: no unwind information covers the last
// frame, but it is known to be the outermost one.
void describe(const unwind::walked &, bool outermost, stack_record &)
    noexcept;

// Does what walk_copy() does, for a copy whose machine is not native.  It takes
// the lock of each file, and some microseconds a frame.
space_walk walk_other(stack9_space &, const user_copy &, stack_record &,
    std::uint64_t &wanted) noexcept;

} // namespace stack9::remote
