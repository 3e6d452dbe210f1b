// How often this thread has called malloc(), calloc() and realloc().
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

extern thread_local long malloc_calls;
