// Copies all threads of a process, stopped at one instant.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/backend.h"

namespace stack9::tracing {

// A pass over one process, and over all processes of the machine one after the
// other.
int copy_process(pid_t, sides_sink, void *) noexcept;
int copy_machine(sides_sink, void *) noexcept;

} // namespace stack9::tracing
