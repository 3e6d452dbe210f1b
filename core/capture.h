// One capture, from thread and side to a filled record.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "core/seam/backend.h"

namespace stack9 {

// The calling thread's user stack, from a frame on.  rec: pcs and max given,
// the rest written, but for thread.  Async-signal-safe; errno is kept.
int save_self(stack9_record &rec, const origin &first) noexcept;

// A user stack, whoever's it is.  first: as for save_self(), if it is the
// caller's own.  As stack9_save().
int save_user(const stack9_thread &td, stack9_record &rec,
    const origin &first) noexcept;

// A record before anything is known, and one that is done.
void reset(stack9_record &rec, const stack9_thread &td, stack9_side) noexcept;
int finish(stack9_record &rec, int error) noexcept;
bool has_room(const stack9_record &rec) noexcept;

// A kernel stack, by whichever routes it takes.  As stack9_save().
int save_kernel(const stack9_thread &td, stack9_record &rec) noexcept;

// Whether the same capture may have another end if it is made again at once.
bool worth_another_try(int error, const stack9_record &rec) noexcept;

} // namespace stack9
