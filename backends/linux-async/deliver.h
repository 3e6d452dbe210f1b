// From what a thread left in its slot to what a caller is told.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/async.h"

#include "table.h"

namespace stack9::bpf {

// The slot's user side, DONE: 0 and the copy, or its errno, with the record.
int deliver_user_side(const async_table &, const s9_async_slot &,
    const stack9_thread &, async_sides &) noexcept;

// The kernel side that an event took; rec has pcs and max.
void deliver_event_kernel(const s9_async_slot &, const stack9_thread &,
    stack9_record &rec) noexcept;

// Whose it is.
stack9_thread thread_in(const s9_async_slot &) noexcept;

} // namespace stack9::bpf
