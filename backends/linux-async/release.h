// Releases captures, and ends those whose threads have gone.  The caller holds
// the state's lock.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "state.h"

namespace stack9::bpf {

// True if somebody holds the id of a slot in this phase.
bool is_held(s9_phase) noexcept;

// Releases a capture in one try; false: its phase has just changed.
bool try_release(async_state &, slot_id) noexcept;

// Ends a capture whose thread has gone.  A kernel that queues the work late
// (PREEMPT_RT) may do so after the exiting thread has run its last works.
void end_if_gone(async_state &, stack9_id) noexcept;

// Does so for all captures, once a second.  Captures of events have no caller
// who would ask for them by id.
void end_all_gone(async_state &) noexcept;

} // namespace stack9::bpf
