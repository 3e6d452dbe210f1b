// Opening the very file that a process was mapped from.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "os/linux/unique_fd.h"
#include "mapping.h"

namespace stack9::process {

// task: /proc/TID of a thread of the process.  0; ENOENT: the file cannot be
// had, or is no regular one; EMFILE, ENFILE, ENOMEM: not just now.
int open_mapped(int task, const mapping &, unique_fd &) noexcept;

} // namespace stack9::process
