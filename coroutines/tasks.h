// Lends a sample of each task of a language that no thread runs to the caller's
// function.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stack9_coroutines.h>

#include "core/seam/space.h"
#include "core/seam/thread.h"

namespace stack9::coroutines {

// The error of mappings that cannot be read, with its reason.
int no_maps(int error);
// Gives the space of a process: the caller's, its core's, or a new one.
int space_to_read(const stack9_thread &process, stack9_space *of_caller,
    unique_space &);

// 0; ENOENT: there is none; ECANCELED; or why its memory cannot be read: EIO.
// Throws std::bad_alloc.
int deliver_tasks(const stack9_thread &process, const thread_stat &,
    unique_space, std::uint32_t frames, stack9_coroutine_fn *, void *arg);

} // namespace stack9::coroutines
