// Tries whether this process may load a program that reads kernel memory, as
// all programs on events do.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/backend.h"

namespace stack9::events {

// Loads such a program at each call, for a seccomp filter or a lockdown may
// come later.
verdict try_reader() noexcept;

// Refuses where /sys is hidden: the number of CPUs is there.
verdict find_sys() noexcept;

} // namespace stack9::events
