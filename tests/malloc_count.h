// How often this thread has asked for memory.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

extern thread_local long malloc_count;
