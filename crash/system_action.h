// Declares sigaction(2).  A library that replaces it calls it by another name.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <signal.h>

namespace stack9::crash {

// Async-signal-safe.
int system_action(int signo, const struct sigaction *to,
    struct sigaction *was) noexcept;

} // namespace stack9::crash
