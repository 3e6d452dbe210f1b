// Declares the walk of the stack of a core's thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/record.h"

#include "core_process.h"

namespace stack9::cores {

// Fills rec, whose pcs and max the caller has set.  The thread has no kernel
// stack any more.  copy is filled again, in the same memory.
void walk_thread(core_process &, const thread &, user_copy &copy,
    stack_record &rec) noexcept;

} // namespace stack9::cores
