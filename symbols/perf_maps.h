// Finds the perf maps of processes, decides which owners to believe, and reads
// maps again when they have changed.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "core/seam/record.h"

namespace stack9 {

// Finds a function that a JIT of the thread's process made.  0; ENOENT.  An
// address is looked for again at most once a second.  Thread-safe; throws
// std::bad_alloc.
int perf_find(const stack9_thread &, std::uintptr_t pc, bool return_address,
    symbol_name &);

} // namespace stack9
