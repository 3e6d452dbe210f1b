// All threads of a process, held at one instant.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/backend.h"

namespace stack9::tracing {

// As route::each_copy(), for one process, and for all of the machine one after
// the other.
int copy_process(pid_t, sides_sink, void *) noexcept;
int copy_machine(sides_sink, void *) noexcept;

} // namespace stack9::tracing
