// Runs the program that submits a capture, and validates the sample it took.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "state.h"

namespace stack9::bpf {

// Runs "submit", under the capture lock if it samples a kernel side.  0, or the
// program's errno.  EAGAIN: the state has lost its descriptors and was given
// up.
int run_submit(async_state &, s9_submit &, bool kernel) noexcept;

// The caller's errno for one of run_submit().
int submit_error(int error, const stack9_thread &) noexcept;

// True if td's tid is another thread's now.  A thread must not be woken in
// place of another.
bool is_another(const stack9_thread &td) noexcept;

// Validates the sample that was taken when the capture was submitted.  0, or
// the errno with which the submission fails.  The kernel side's goes into
// kernel.
int validate_submitted(async_state &, slot_id, const stack9_thread &,
    stack9_side, stack_record *kernel) noexcept;

} // namespace stack9::bpf
