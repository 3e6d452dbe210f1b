// Opens the directory of a thread in /proc and checks that it is the right one.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <sys/types.h>

#include "unique_fd.h"

namespace stack9 {

// Opens /proc/TID.  It stays with this thread even if another one gets its tid
// later.  start: field 22 of its stat; 0 takes any thread with this tid. 0;
// ESRCH; EPERM; EMFILE...
int open_task(pid_t tid, std::uint64_t start, unique_fd &task) noexcept;

// The start time of the thread whose /proc/TID is open as task.
// 0; ESRCH; EPERM; EMFILE...
int start_of(int task, std::uint64_t &start) noexcept;

} // namespace stack9
