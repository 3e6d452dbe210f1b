// A thread that no program finds.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/backend.h"

namespace stack9::bpf {

// ESRCH if it is gone, or its tid another thread's.  EOPNOTSUPP if /proc still
// has it: a guarded machine hides some of its threads from BPF, and "no such
// thread" would be a lie; another route may find it.  EAGAIN if it began in the
// last tenth of a second: perhaps after it was looked for.
int explain_missing_thread(const stack9_thread &, stack9_record &) noexcept;

} // namespace stack9::bpf
