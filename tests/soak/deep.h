// Goes into a stack of known depth, and spoils a frame of it on request.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <functional>

#include "ledger.h"

namespace soak {

// Calls f below that many frames of deep() and notes the visit.  bad: what
// replaces a return address in the middle while f runs, or NULL.
void go_deep(actor &, unsigned int frames, const std::uintptr_t *bad,
    const std::function<void()> &f);

// Returns true if an address is one of deep().
bool is_deep(std::uint64_t pc);

} // namespace soak
