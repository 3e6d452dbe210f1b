// Declares the alternate stacks of threads.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace stack9::crash {

// Has to succeed once before the next ones are called.  0; ENOMEM.
int prepare_stacks() noexcept;

// Memory for the stack of a thread, of which the thread may use the first bytes
// for itself until it is in use; NULL: there is none.
void *map_stack() noexcept;
void unmap_stack(void *) noexcept;

// Gives it to the calling thread, at whose end it is unmapped.  A thread that
// has an alternate stack keeps it, and this one is unmapped.  0; ENOMEM.
int use_stack(void *) noexcept;

// Returns true if the calling thread has an alternate stack that is large
// enough.
bool has_stack() noexcept;

} // namespace stack9::crash
