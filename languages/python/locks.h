// Finds the object of a module of Python that a thread waits for: a Lock, an
// RLock, a SimpleQueue, or another thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "layout.h"

namespace stack9::languages::python {

// Finds it, and puts it into the stack, whose last functions are those of these
// frames.  Throws std::bad_alloc.
void find_lock(const question &, const layout &,
    const std::vector<std::uint64_t> &frames, written_stack &);

} // namespace stack9::languages::python
