// Captures one stack of a thread of this process, or one kernel stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/job.h"

#include "stopping.h"

namespace stack9 {

// Captures the calling thread's user stack, from a frame on.  The caller sets
// pcs and max of rec; the call writes the rest except thread.
// Async-signal-safe; errno is kept.
int save_self(stack_record &rec, const origin &first) noexcept;

// Captures a user stack of this process, as stack9_save().  first is as for
// save_self(), if td is the caller.
int save_in_process(const stack9_thread &td, stack_record &rec,
    const origin &first, stopping) noexcept;

// Captures a kernel stack by whichever routes it takes, as stack9_save().
int save_kernel(const stack9_thread &td, stack_record &rec) noexcept;

} // namespace stack9
