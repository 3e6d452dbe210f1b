// Opens the debug file of a loaded module without lock or heap.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>

#include "image.h"

namespace stack9 {

// The folder is "/usr/lib/debug"; tests set another.
extern const char *debug_root;

// Finds the file by its build ID.  Reads that of the module if it is not known.
// 0; ENOENT: there is none, or only that of another module; EMFILE, ENFILE,
// ENOMEM: not now.  room: for parts of a file.  Async-signal-safe.
int open_debug_nowait(module_image &, std::span<unsigned char> room,
    unique_fd &to) noexcept;

} // namespace stack9
