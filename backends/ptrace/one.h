// One thread, held for as long as it takes to copy its registers and its stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/backend.h"

namespace stack9::tracing {

// 0, or an errno with its words in rec.
int copy_one(const stack9_thread &, user_copy &, stack9_record &rec) noexcept;

// route::copy_on().  The thread is held a second time: if it has the same
// registers then, and the same bytes in what was copied, its stack is the same.
int copy_more(const stack9_thread &, user_copy &, std::uint64_t wanted)
    noexcept;

// Into the copy.  0; ENOMEM.
struct held;
int deliver(const held &, user_copy &) noexcept;

} // namespace stack9::tracing
