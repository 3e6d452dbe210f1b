// Perf maps of processes: where they are, whom they are believed, when they are
// read again.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <stack9.h>

namespace stack9 {

// A function that a JIT of the thread's process made.  0; ENOENT.  It is looked
// for again at most once a second.  Thread-safe; throws std::bad_alloc.
int perf_find(const stack9_thread &, std::uintptr_t pc, bool return_address,
    stack9_symbol &);

} // namespace stack9
