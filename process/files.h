// The files that processes are mapped from, each opened once in this process.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

#include "mapping.h"

namespace stack9::process {

// A thread of the process whose mappings these are.
struct owner {
	int	task;		// its /proc/TID
	pid_t	tid;
};

// The file behind a mapping; NULL: it cannot be had, perhaps not just now.
// No file is opened that is open already.  Thread-safe.
std::shared_ptr<file> file_behind(const owner &, const mapping &) noexcept;

// The same for the one mapping of [vdso].
std::shared_ptr<file> vdso_behind(const owner &, const mapping &) noexcept;

} // namespace stack9::process
