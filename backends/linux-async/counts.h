// Counts asynchronous captures, their time, and the events that were dropped.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stack9.h>

namespace stack9::bpf {

// Implements backend::counts.
int async_counts(stack9_count_fn *, void *arg) noexcept;

} // namespace stack9::bpf
