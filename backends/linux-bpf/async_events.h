// Events that submit the thread to which they happen.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "async_state.h"

namespace stack9::bpf {

// As stack9_watch() and stack9_unwatch().
int open_watch(async_state &, const stack9_event &, stack9_watcher *&) noexcept;
void close_watch(stack9_watcher &) noexcept;

} // namespace stack9::bpf
