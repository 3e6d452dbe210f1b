// Counts how often this thread asks for memory, and calls a hook each time.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

extern thread_local long malloc_count;

// Called by every malloc(), calloc() and realloc(), of any thread; or nullptr.
extern void (*on_malloc)();
