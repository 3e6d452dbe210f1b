// Tells how much stack the calling thread has left.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>

namespace stack9 {

// Bytes below the caller's frame.  0: the caller is on a stack that is not its
// thread's own, or the C library does not know that stack.  The first call of a
// thread takes some microseconds, and in a process's first thread it reads
// /proc/self/maps.
std::size_t stack_left() noexcept;

} // namespace stack9
