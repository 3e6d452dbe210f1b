// Declares one more capture of a thread of which an event was seen.  The core
// implements it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "record.h"

namespace stack9 {

// Captures the user stack of a thread of another process, with the functions of
// languages if rec.written is set, as stack9_save() does.  Nobody is stopped.
// EAGAIN: the thread is on a CPU, or has run meanwhile.
int capture_asleep(const stack9_thread &, stack_record &rec) noexcept;

} // namespace stack9
