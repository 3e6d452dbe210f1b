// Declares how names from strangers are opened, and what the kernel knows of
// the files that they lead to, without waiting for anybody.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <sys/stat.h>

#include "unique_fd.h"

namespace stack9 {

// Opens a file for reading once it is known to be a regular file: a device may
// do something when it is opened, and a FIFO waits for a writer.  dir is as
// openat(2)'s; st is filled in if the name leads anywhere.  0; ENOENT; EACCES
// and the like; EMFILE, ENFILE, ENOMEM: not now; EINVAL: it is not a regular
// file.  Async-signal-safe.
int open_regular(int dir, const char *path, unique_fd &to, struct stat &st)
    noexcept;

// Does the same for callers with little stack.
int open_regular(const char *path, unique_fd &to) noexcept;

// Does the same with a file that was opened with O_PATH, whose st stat_now()
// has filled in.
int open_regular(const unique_fd &seen, const struct stat &st, unique_fd &to)
    noexcept;

// Fills in the device, the inode, the type, the owner, the size and the time of
// the last change of an open file.  It does not ask the file's server, because
// that may not answer.  0; or an errno.  Async-signal-safe.
int stat_now(int fd, struct stat &) noexcept;

} // namespace stack9
