// Asks /proc what a thread is.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stack9.h>

namespace stack9 {

// True for a thread of the kernel, which has no user side.
bool is_kernel_thread(const stack9_thread &) noexcept;

} // namespace stack9
