// The own stack in a child that was forked by a process with threads: one of
// them may have held the loader's lock, which stays taken there for ever, and
// libunwind waits for it (with all signals blocked).
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <stack9.h>

namespace stack9::self {

// Whether this process is such a child, or a child of one.
bool forked_from_threads() noexcept;

// The calling thread's stack without that lock, some 50 times slower: the
// walk of a copy, here of nothing but the registers.  depth is 0 if first_pc
// is not among the frames.  Async-signal-safe.
void save_forked(stack9_record &, std::uintptr_t first_pc) noexcept;

} // namespace stack9::self
