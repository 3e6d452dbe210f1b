// Declares the copies of threads while they are stopped: of one thread, and of
// all threads of a process at one instant.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/backend.h"

namespace stack9::tracing {

// 0, or an errno with why and reason in rec.
int copy_one(const stack9_thread &, user_copy &, stack_record &rec) noexcept;

// Extends a copy.  The thread is stopped a second time.  If it then has the
// same registers, and the same bytes where it was copied, its stack is the
// same.
int copy_more(const stack9_thread &, user_copy &, std::uint64_t wanted)
    noexcept;

// Puts what the tracer read into the copy.  0; ENOMEM.
struct stopped_thread;
int deliver(const stopped_thread &, user_copy &) noexcept;

// A pass over one process, and over all processes of the machine one after the
// other.
int copy_process(pid_t, sides_sink, void *) noexcept;
int copy_machine(sides_sink, void *) noexcept;

} // namespace stack9::tracing
