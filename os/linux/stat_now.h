// Declares what the kernel knows of an open file, without asking the file's
// server, which may not answer.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <sys/stat.h>

namespace stack9 {

// Fills in the device, the inode, the type, the owner, the size and the time of
// the last change.  0; or an errno.  Async-signal-safe.
int stat_now(int fd, struct stat &) noexcept;

} // namespace stack9
