// Turns the contents of a slot into the caller's records.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/async.h"

#include "table.h"

namespace stack9::bpf {

// Delivers the user side of a slot that is DONE: 0 and the copy, or its errno,
// and the record.
int deliver_user_side(const async_table &, const s9_async_slot &,
    const stack9_thread &, async_sides &) noexcept;

// Delivers the kernel side that an event sampled; rec has pcs and max.
void deliver_event_kernel(const s9_async_slot &, const stack9_thread &,
    stack9_record &rec) noexcept;

// The thread of the capture.
stack9_thread thread_in(const s9_async_slot &) noexcept;

} // namespace stack9::bpf
