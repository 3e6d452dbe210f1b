// Declares sigaction(2), which a library that stands in front of it calls by
// another name.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <signal.h>

namespace stack9::crash {

// Async-signal-safe.
int system_action(int signo, const struct sigaction *to,
    struct sigaction *was) noexcept;

} // namespace stack9::crash
