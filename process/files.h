// Finds the files that processes are mapped from; each is opened once in this
// process.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

#include "mapping.h"

namespace stack9::process {

// A thread of the process to which a mapping belongs.
struct owner {
	int	task;		// its /proc/TID
	pid_t	tid;
};

// Finds the file behind a mapping, and opens it if it is not open already.
// NULL: it cannot be opened, or not now.  Thread-safe.
std::shared_ptr<file> file_behind(const owner &, const mapping &) noexcept;

// Does the same for the one mapping of [vdso].
std::shared_ptr<file> vdso_behind(const owner &, const mapping &) noexcept;

} // namespace stack9::process
