// Asks the kernel where a thread of this process is.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <sys/types.h>

namespace demo {

// Waits until tid sleeps in system call number nr.
void wait_until_asleep_in(pid_t tid, long nr);

} // namespace demo
