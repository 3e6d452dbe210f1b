// Declares how the perf map of a process is found and opened.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include <stack9.h>

#include "os/unique_fd.h"

namespace stack9 {

// Opens the map of the thread's process, if there is one and its owner is
// believed.  inner: the process's pid in its own namespace, by which the map is
// named.  May throw std::bad_alloc.
unique_fd open_perf_map(const stack9_thread &, pid_t &inner);

std::string perf_map_name(pid_t inner);

} // namespace stack9
