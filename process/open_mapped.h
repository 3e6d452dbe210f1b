// Opens the very file that a process was mapped from, or copies the code that
// the kernel has mapped into it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <vector>

#include <sys/stat.h>
#include <sys/types.h>

#include "os/unique_fd.h"
#include "mapping.h"

namespace stack9::process {

// task: /proc/TID of a thread of the process.  The stat is the file's.  0;
// ENOENT: no name leads to the file, or it is not a regular file; EMFILE,
// ENFILE, ENOMEM: not now.
int open_mapped(int task, const mapping &, unique_fd &, struct stat &)
    noexcept;

// Copies the bytes of the mapping of [vdso]: our own vdso's if both must be the
// same.  False: they cannot be read.  Throws std::bad_alloc.
bool read_vdso(pid_t tid, const mapping &, std::vector<std::byte> &to);

// Returns true if the mark "(deleted)" is a part of the name: a file with that
// name is there, and is the mapped one.  No file server is asked.  task: as
// above.  Throws std::bad_alloc.
bool is_named_so(int task, const mapping &);

} // namespace stack9::process
