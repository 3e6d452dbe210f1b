// Reads files of /proc/TID through an open directory.  The directory stays with
// its thread, so a file that is read through it never belongs to another one.
// Allocates nothing; may change errno.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string_view>

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include "proc_error.h"
#include "stat_line.h"
#include "unique_fd.h"

namespace stack9 {

// Flags of a thread in its stat (include/linux/sched.h): PF_EXITING;
// PF_KTHREAD; PF_IO_WORKER and PF_USER_WORKER.  In older kernels the latter two
// bits mean other things for threads that have a user side.
inline constexpr std::uint64_t flag_exiting = 0x4, flag_kernel = 0x00200000,
    flags_worker = 0x4010;

class proc_file {
public:
	int get() const noexcept { return fd_.get(); }

	// 0; ESRCH: no such thread; EPERM; EMFILE, ENOMEM...
	int
	open(int dir, const char *path, int flags = O_RDONLY) noexcept
	{
		unique_fd fd(openat(dir, path, flags | O_CLOEXEC));
		if (!fd)
			return proc_error(errno);
		fd_ = std::move(fd);
		return 0;
	}

	// Reads the file from its beginning.  ENAMETOOLONG: it does not fit.
	int
	read(std::span<char> buffer, std::string_view &text) const noexcept
	{
		std::size_t n = 0;
		while (n < buffer.size()) {
			std::size_t got = 0;
			if (const int error = read_some(n, buffer.subspan(n),
			    got); error != 0)
				return error;
			if (got == 0) {
				text = {buffer.data(), n};
				return 0;
			}
			n += got;
		}
		return ENAMETOOLONG;
	}

	// Reads a file that the kernel makes as one record, as it does stat,
	// status, syscall and schedstat (proc_single_show(), fs/proc/base.c):
	// one that leaves room is whole.  ENAMETOOLONG: it does not fit.
	int
	read_record(std::span<char> buffer, std::string_view &text)
	    const noexcept
	{
		std::size_t n = 0;
		if (const int error = read_some(0, buffer, n); error != 0)
			return error;
		text = {buffer.data(), n};
		return n < buffer.size() ? 0 : ENAMETOOLONG;
	}

	// Reads a part of the file; n is 0 at its end.
	int
	read_some(std::size_t at, std::span<char> to, std::size_t &n)
	    const noexcept
	{
		ssize_t got;
		do
			got = pread(fd_.get(), to.data(), to.size(),
			    static_cast<off_t>(at));
		while (got < 0 && errno == EINTR);
		n = got > 0 ? static_cast<std::size_t>(got) : 0;
		return got < 0 ? proc_error(errno) : 0;
	}

private:
	unique_fd	fd_;
};

class proc_task {
public:
	// Rejected: /proc/TID itself.  Its stat adds up the times of all
	// threads of the process.  This takes 0.2 ms for a thousand threads.
	int
	open(pid_t tid) noexcept
	{
		char path[48];
		std::snprintf(path, sizeof path, "/proc/%d/task/%d", tid, tid);
		return dir_.open(AT_FDCWD, path, O_PATH | O_DIRECTORY);
	}
	// Opens a thread of this process only.
	int
	open_own(pid_t tid) noexcept
	{
		char path[48];
		std::snprintf(path, sizeof path, "/proc/self/task/%d", tid);
		return dir_.open(AT_FDCWD, path, O_PATH | O_DIRECTORY);
	}
	int get() const noexcept { return dir_.get(); }

	// Reads stat, status or syscall.
	int
	read(const char *name, std::span<char> buffer, std::string_view &text)
	    const noexcept
	{
		proc_file f;
		const int error = f.open(dir_.get(), name);
		return error != 0 ? error : f.read_record(buffer, text);
	}

private:
	proc_file	dir_;
};

// The number that follows key and blanks; 0 if there is none.
inline std::uint64_t
number_behind(std::string_view text, std::string_view key, int base = 10)
    noexcept
{
	const std::size_t at = text.find(key);
	if (at == text.npos)
		return 0;
	text.remove_prefix(at + key.size());
	text.remove_prefix(std::min(text.find_first_not_of(" \t"),
	    text.size()));
	std::uint64_t value = 0;
	std::from_chars(text.data(), text.data() + text.size(), value, base);
	return value;
}

// Parses /proc/TID/syscall: "NR A1..A6 SP PC" or "-1 SP PC".  False: "running".
inline bool
parse_syscall(std::string_view text, std::uintptr_t &sp, std::uintptr_t &pc)
    noexcept
{
	if (text.starts_with("running"))
		return false;
	const int at = text.starts_with("-1 ") ? 1 : 7;
	sp = number_behind(word(text, at), "0x", 16);
	pc = number_behind(word(text, at + 1), "0x", 16);
	return true;
}

} // namespace stack9
