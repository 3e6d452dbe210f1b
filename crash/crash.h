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

// Opens what a report goes to.  -1: no report is wanted.  Async-signal-safe.
using opener = int() noexcept;

struct settings {
	int		fd;		// -1: no report is wanted
	unsigned int	flags;
	pid_t		pid;		// the process that the handler is for
	opener		*open;		// in place of fd; or NULL
};

// Async-signal-safe.
settings current_settings() noexcept;

// Returns true if a crash of this process has been found.  Async-signal-safe.
bool has_crashed() noexcept;

// Installs the handler for this process, and gives the calling thread an
// alternate stack.  Without an opener reports go to fd.  0, or an errno.
int install(int fd, opener *, unsigned int flags) noexcept;

} // namespace stack9::crash
