// Finds the spaces of processes, and keeps that of the calling one.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <stack9.h>

#include "core/seam/record.h"
#include "core/seam/space.h"

namespace stack9 {

// The space that the calling process has now, as far as dl_iterate_phdr(3)
// shows, or pc: it should have that mapped.  Throws std::bad_alloc where it
// cannot be opened.
unique_space own_space(std::uint64_t pc);

// Makes a space of a thread's process that names nothing.  Throws
// std::bad_alloc.
unique_space empty_space(const stack9_thread &);

// Gives a user stack of another process a space, if it has none: that of the
// process, or an empty one if the process has ended.  The empty one names
// nothing.  opened keeps it.  Throws std::bad_alloc.
void give_space(stack_record &, unique_space &opened);

// True for a thread of the kernel: it has no user side.
bool is_kernel_thread(const stack9_thread &) noexcept;

} // namespace stack9
