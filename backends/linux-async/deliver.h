// Turns the contents of a slot into the caller's records.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/async.h"
#include "core/seam/kept_record.h"

#include "slot_memory.h"

namespace stack9::bpf {

// Delivers the user side of a slot that is DONE: 0 and the copy, or its errno,
// and the record.
int deliver_user(const slot_memory &, const s9_async_slot &,
    const stack9_thread &, async_sides &) noexcept;

// Delivers the kernel side: the sample of an event, or if there is none, the
// side that was submitted.  rec has pcs and max.
void deliver_kernel(const s9_async_slot &, const stack9_thread &,
    const kept_record &submitted, stack_record &rec) noexcept;

// Says in the record that the thread has not been in user space yet: EAGAIN.
int deliver_nothing_yet(const stack9_thread &, stack_record *user) noexcept;

// The thread of the capture.
stack9_thread thread_in(const s9_async_slot &) noexcept;

} // namespace stack9::bpf
