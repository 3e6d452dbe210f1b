// What /proc says of a thread, and who the calling thread is.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <dirent.h>
#include <unistd.h>

#include <stack9.h>

namespace stack9 {

class descriptor {
public:
	explicit descriptor(int fd) noexcept : fd_(fd) {}
	descriptor(const descriptor &) = delete;
	descriptor &operator=(const descriptor &) = delete;
	~descriptor()
	{
		if (fd_ >= 0)
			close(fd_);
	}
	int get() const noexcept { return fd_; }

private:
	int	fd_;
};

// The part of /proc/TID/stat that is needed.
struct thread_stat {
	char		comm[65];	// longest: a kworker's, 64 characters
	char		state;		// 'R', 'S', 'D'...
	int		threads;	// of the process
	std::uint64_t	start;		// clock ticks since boot

	bool is_dead() const noexcept
	{
		return state == 'Z' || state == 'X' || state == 'x';
	}
};

// Cut to fit, and the rest of to is zero.
template <std::size_t n> void
copy_name(char (&to)[n], std::string_view from) noexcept
{
	const std::size_t length = std::min(from.size(), n - 1);
	std::memset(to, 0, n);
	std::memcpy(to, from.data(), length);
}

// False: not such a line, and out is untouched.  comm may hold any byte.
bool parse_stat(std::string_view line, thread_stat &out) noexcept;

// path: relative to dir, as for openat(2).  0; ESRCH: gone; EMFILE...
// Async-signal-safe.
int read_stat(int dir, const char *path, thread_stat &out) noexcept;

// The thread that has this tid now, dead or alive, all from one look: the
// tid cannot change hands in between.  0; EINVAL; ESRCH; EMFILE...
int find_thread(pid_t tid, stack9_thread &id, thread_stat &stat) noexcept;

// Calls f(tid) for each entry of a task directory until it says false.
// getdents64(2) because readdir(3) allocates.
template <class F> void
each_task(int dir, F f) noexcept
{
	alignas(dirent64) char entries[4096];
	ssize_t size;
	while ((size = getdents64(dir, entries, sizeof entries)) > 0)
		for (ssize_t at = 0; at < size;) {
			const auto *e = reinterpret_cast<const dirent64 *>(
			    entries + at);
			at += e->d_reclen;
			pid_t tid = 0;
			std::from_chars(e->d_name,
			    e->d_name + std::strlen(e->d_name), tid);
			if (tid > 0 && !f(tid))
				return;
		}
}

} // namespace stack9
