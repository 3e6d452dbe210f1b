// Reads from /proc what it says of a thread that a capture did not name.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/record.h"

namespace stack9 {

// Fills name, state and CPU where the record has none, as of the thread that
// still has the tid and the start.
void name_thread(stack_record &) noexcept;

// True for a thread of the kernel, which has no user side.
bool is_kernel_thread(const stack9_thread &) noexcept;

} // namespace stack9
