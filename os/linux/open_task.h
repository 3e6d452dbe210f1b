// A thread in /proc, and that it is the one that is meant.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <sys/types.h>

#include "unique_fd.h"

namespace stack9 {

// Its /proc/TID, whatever gets its tid later.  start: as in its stat; 0:
// whoever has the tid.  0; ESRCH; EPERM; EMFILE...
int open_task(pid_t tid, std::uint64_t start, unique_fd &task) noexcept;

// task: /proc/TID.  0; ESRCH; EPERM; EMFILE...
int start_of(int task, std::uint64_t &start) noexcept;

} // namespace stack9
