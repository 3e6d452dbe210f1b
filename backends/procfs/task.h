// Reads the identity, the state and the switch counts of one thread from /proc.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include <sys/types.h>

namespace stack9::procfs {

struct task {
	pid_t		pid;		// its process
	char		comm[17];
	char		state;
	int		cpu;		// on it, or last on it
	std::uint64_t	start;		// clock ticks since boot
	std::uint64_t	switches;	// voluntary and not
};

// 0; ESRCH; EPERM, EMFILE... as open(2) says.
int read_task(pid_t tid, task &t) noexcept;

// Reads a file of /proc/TID into buffer, with a NUL after it; n: its bytes.
// ENAMETOOLONG: it does not fit.
int read_file(pid_t tid, const char *name, char *buffer, std::size_t size,
    std::size_t &n) noexcept;

} // namespace stack9::procfs
