// Declares the settings of the crash handler.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <sys/types.h>

namespace stack9::crash {

struct settings {
	int		fd;		// -1: no report is wanted
	unsigned int	flags;
	pid_t		pid;		// the process that the handler is for
};

// Async-signal-safe.
settings current_settings() noexcept;

} // namespace stack9::crash
