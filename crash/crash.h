// Declares a crash, its report, and the settings of the handler.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <signal.h>
#include <sys/types.h>
#include <ucontext.h>

namespace stack9::crash {

// The crash, as the handler finds it.
struct crash {
	int			 fd;
	unsigned int		 flags;		// STACK9_CRASH_...
	pid_t			 pid, tid;	// of the thread that crashed
	const siginfo_t		&info;
	const ucontext_t	&at;
};

// Writes the report.  It ends in bounded time, whatever the program has broken.
// Async-signal-safe; uses neither the heap nor a lock.
void report(const crash &) noexcept;

// The name of a signal, and the reason that the kernel gives for it.
const char *signal_name(int signo) noexcept;
const char *reason_of(const siginfo_t &) noexcept;
// Whether si_addr has a meaning.
bool has_address(const siginfo_t &) noexcept;

struct settings {
	int		fd;		// -1: no report is wanted
	unsigned int	flags;
	pid_t		pid;		// the process that the handler is for
};

// Async-signal-safe.
settings current_settings() noexcept;

} // namespace stack9::crash
