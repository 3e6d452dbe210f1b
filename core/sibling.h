// Captures the user stack of another thread of this process.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/job.h"

#include "stopping.h"

namespace stack9 {

// Returns as stack9_save().  stopping::never: the thread is not sent a signal.
int save_sibling(const stack9_thread &td, stack_record &rec, stopping) noexcept;

} // namespace stack9
