// Walks the stacks of 32-bit programs on x86-64.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "process/space.h"

namespace stack9::remote {

// Does what walk_copy() does, for a copy whose machine is ia32.  It takes the
// lock of each file, and some microseconds a frame.
space_walk walk_ia32(stack9_space &, const user_copy &, stack_record &,
    std::uint64_t &wanted) noexcept;

} // namespace stack9::remote
