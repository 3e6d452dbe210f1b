// The tracepoint that a system call has of its own.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "points.h"

namespace stack9::events {

// What perf_event_open(2) knows the tracepoint of a system call by; 0 if there
// is none, or tracefs, which alone has it, cannot be had.
std::uint64_t own_tracepoint(const point &) noexcept;

} // namespace stack9::events
