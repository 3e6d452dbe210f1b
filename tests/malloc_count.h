// How often this thread has asked for memory, and a look at each time.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

extern thread_local long malloc_count;

// Called by every malloc(), calloc() and realloc(), of any thread; or nullptr.
extern void (*on_malloc)();
