// Declares how the states of threads are reported.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stack9_waits.h>

namespace stack9 {

// Those of the threads of a process, or of all if pid is 0.  0, or an errno.
int report_states(pid_t pid, stack9_state_fn *, void *arg);

} // namespace stack9
