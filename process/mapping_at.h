// Finds the mapping that a process has at an address.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "maps_line.h"

namespace stack9::process {

// The kernel is asked about this one (PROCMAP_QUERY, Linux 6.11), or all are
// read.  task: a descriptor of /proc/TID.  False: nothing is mapped there.  The
// line has no path.
bool mapping_at(int task, std::uintptr_t at, maps_line &) noexcept;

} // namespace stack9::process
