// Explains why no program finds a thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/backend.h"

namespace stack9::bpf {

// ESRCH: the thread is gone, or its tid is another thread's now.  EOPNOTSUPP:
// /proc still has it.  A guarded machine hides some of its threads from BPF;
// "no such thread" would be a lie there, and another route may find it.
// EAGAIN: the thread began in the last tenth of a second, perhaps after the
// search.
int explain_missing_thread(const stack9_thread &, stack9_record &) noexcept;

} // namespace stack9::bpf
