// Reads directories of threads in /proc, and the lines of stat there.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <charconv>
#include <cstddef>
#include <cstring>

#include <dirent.h>
#include <sys/types.h>

#include "thread_stat.h"

namespace stack9 {

// path is relative to dir, as for openat(2).  0; ESRCH: gone; EMFILE and the
// like.
// Async-signal-safe.
int read_stat(int dir, const char *path, thread_stat &out) noexcept;

#ifdef __GLIBC__
using directory_entry = dirent64;
inline ssize_t
read_entries(int dir, void *to, std::size_t size) noexcept
{
	return getdents64(dir, to, size);
}
#else	// every entry of musl's is a 64-bit one
using directory_entry = dirent;
inline ssize_t
read_entries(int dir, void *to, std::size_t size) noexcept
{
	return getdents(dir, static_cast<dirent *>(to), size);
}
#endif

// Calls f(tid) for each entry of a task directory until f returns false.  Uses
// getdents64(2), because readdir(3) allocates.
template <class F> void
each_task(int dir, F f)
{
	alignas(directory_entry) char entries[4096];
	ssize_t size;
	while ((size = read_entries(dir, entries, sizeof entries)) > 0)
		for (ssize_t at = 0; at < size;) {
			const auto *e = reinterpret_cast<
			    const directory_entry *>(entries + at);
			at += e->d_reclen;
			pid_t tid = 0;
			std::from_chars(e->d_name,
			    e->d_name + std::strlen(e->d_name), tid);
			if (tid > 0 && !f(tid))
				return;
		}
}

} // namespace stack9
