// Opens the very file that a process was mapped from.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "os/linux/unique_fd.h"
#include "mapping.h"

namespace stack9::process {

// task: /proc/TID of a thread of the process.  0; ENOENT: no name leads to the
// file, or it is no regular file; EMFILE, ENFILE, ENOMEM: not now.
int open_mapped(int task, const mapping &, unique_fd &) noexcept;

} // namespace stack9::process
