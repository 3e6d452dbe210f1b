// Finds the monitor or the java.util.concurrent lock that a thread waits for,
// and who has it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "languages/runtime.h"

#include "layout.h"

namespace stack9::languages::java {

// Fills in to.lock, or leaves it empty.  thread: its JavaThread; 0: none.  The
// frames are there already.  Throws std::bad_alloc.
void find_lock(const question &, const layout &, std::uint64_t thread,
    written_stack &to);

} // namespace stack9::languages::java
