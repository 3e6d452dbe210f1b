// Finds the mapping that a process has at an address.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "core/seam/user_copy.h"

#include "maps_line.h"

namespace stack9::process {

// The kernel is asked about this one (PROCMAP_QUERY, Linux 6.11), or all are
// read into text.  task: a descriptor of /proc/TID.  False: nothing is mapped
// there.  The line has a path only if text is not empty.
bool mapping_at(int task, std::uintptr_t at, byte_buffer &text, maps_line &)
    noexcept;

} // namespace stack9::process
