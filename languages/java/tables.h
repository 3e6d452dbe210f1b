// Reads the tables in which HotSpot describes its structures.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "process/file.h"
#include "unwind/memory.h"

#include "layout.h"

namespace stack9::languages::java {

// Reads the tables of a process whose gHotSpotVMStructs is at mark.  False: the
// structures are not all described, or not yet.  Throws std::bad_alloc.
bool read_layout(unwind::memory &, process::file &, std::uint64_t bias,
    std::uint64_t mark, layout &);

} // namespace stack9::languages::java
