// The code that the kernel maps into each process.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <vector>

#include <sys/types.h>

#include "mapping.h"

namespace stack9::process {

// Its bytes: ours, where they must be the same.  False: they cannot be had.
// Throws std::bad_alloc.
bool read_vdso(pid_t tid, const mapping &, std::vector<std::byte> &to);

} // namespace stack9::process
