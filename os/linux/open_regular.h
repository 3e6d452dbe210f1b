// Declares how names from strangers are opened.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <sys/stat.h>

#include "unique_fd.h"

namespace stack9 {

// Opens a file for reading once it is known to be a regular file: a device may
// do something when it is opened, and a FIFO waits for a writer.  dir is as
// openat(2)'s; st is filled in if the name leads anywhere.  0; ENOENT; EACCES
// and the like; EMFILE, ENFILE, ENOMEM: not now; EINVAL: it is no regular file.
// Async-signal-safe.
int open_regular(int dir, const char *path, unique_fd &to, struct stat &st)
    noexcept;

// Does the same for callers with little stack.
int open_regular(const char *path, unique_fd &to) noexcept;

// Does the same with a file that was opened with O_PATH.
int open_regular(const unique_fd &seen, unique_fd &to, struct stat &st)
    noexcept;

} // namespace stack9
