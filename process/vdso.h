// Copies the code that the kernel maps into each process.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <vector>

#include <sys/types.h>

#include "mapping.h"

namespace stack9::process {

// Copies the bytes of the mapping: our own vdso's where both must be the same.
// False: they cannot be read.  Throws std::bad_alloc.
bool read_vdso(pid_t tid, const mapping &, std::vector<std::byte> &to);

} // namespace stack9::process
