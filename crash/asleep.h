// Copies the stacks of sleeping threads without stopping them, where ptrace(2)
// is not permitted.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>

#include "backends/ptrace/stopped_thread.h"
#include "os/posture.h"

namespace stack9::crash {

// Reads where each thread sleeps that could not be traced, and copies its stack
// from there on.  A thread that runs keeps its error.  The posture of a
// thread that was copied has its sp and pc.  It has to run in a thread of the
// process itself: the kernel always lets such a thread look at its siblings.
void copy_asleep(std::span<tracing::stopped_thread>, std::span<posture>,
    tracing::arena &) noexcept;

} // namespace stack9::crash
