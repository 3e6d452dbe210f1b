// Captures one side of a thread, or both, into records whose memory is the
// caller's.  The calls of stack9_save() come here.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "user.h"

namespace stack9 {

// Captures one side.  The caller sets pcs, max, text, text_size and space of
// rec.  first is the frame where the stack begins if td is the caller.  opened
// is as for save_sides().
// Returns as stack9_save(), and EINVAL if rec has no buffer.
int save_record(stack9_side, const stack9_thread &td, stack_record &rec,
    const origin &first, stopping = stopping::allowed,
    unique_space *opened = nullptr) noexcept;

// Captures both sides, of one moment where that can be done.  Each record has
// its own error.  0; EINVAL: as above, for either record.
int save_records(const stack9_thread &td, stack_record &kernel,
    stack_record &user, const origin &first, stopping = stopping::allowed,
    unique_space *opened = nullptr) noexcept;

} // namespace stack9
