// Begins a watch.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>

#include "core/seam/watch.h"

namespace stack9 {

// Returns as stack9_watch_open(), with a sentence if it fails.
int begin_watch(const watch_request &, std::unique_ptr<event_watcher> &,
    std::string &why) noexcept;

} // namespace stack9
