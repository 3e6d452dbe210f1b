// Makes the records of kern.proc of what the system reports.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stack9/sys/user.h>

#include "os/task_facts.h"

namespace stack9 {

// process: its first thread, and sums.  thread: the one that the record is of.
struct kinfo_proc kinfo_of(const task_facts &process, const task_facts &thread)
    noexcept;

} // namespace stack9
