// Reads the memory of a process by /proc/TID/mem, and our own by
// process_vm_readv(2).  Allocates nothing; may change errno; async-signal-safe.
//
// Rejected: process_vm_readv(2) for other processes.  It waits, perhaps for
// ever, for a page that the userfaultfd of such a process withholds.  The file
// says EIO.  Both wait for a page of a file whose NFS or FUSE server is silent;
// read_present() does not.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <utility>

#include <fcntl.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include "present_pages.h"
#include "unique_fd.h"

namespace stack9 {

// Copies the readable part of [from, from + size), up to the first hole, by
// process_vm_readv(2).  Returns the number of bytes; -1 and errno if there are
// none.
//
// The manual page says that a transfer never splits an iovec.  The kernel (3.2
// to 6.18) copies up to the first page that it cannot reach and returns that
// size.
inline ssize_t
read_directly(pid_t tid, std::uintptr_t from, void *to, std::size_t size)
    noexcept
{
	const iovec local{to, size};
	const iovec remote{reinterpret_cast<void *>(from), size};
	return process_vm_readv(tid, &local, 1, &remote, 1, 0);
}

// The memory that a process has when this object is made; what it has after an
// execve(2) cannot be read.
class process_memory {
public:
	process_memory() noexcept = default;
	explicit process_memory(pid_t tid) noexcept : tid_(tid)
	{
		char path[32];
		std::snprintf(path, sizeof path, "/proc/%d/mem", tid);
		take(open(path, O_RDONLY | O_CLOEXEC));
	}
	// task: its directory in /proc.
	process_memory(int task, pid_t tid) noexcept : tid_(tid)
	{
		take(openat(task, "mem", O_RDONLY | O_CLOEXEC));
	}
	// Both files of it were opened by another process.
	process_memory(unique_fd memory, unique_fd pages) noexcept
	    : fd_(std::move(memory)), pages_(std::move(pages)),
	      error_(fd_ ? 0 : ENOENT) {}

	// 0, or why the file cannot be opened.
	int error() const noexcept { return error_; }

	// As read_directly() does.
	ssize_t
	read(std::uintptr_t from, void *to, std::size_t size) const noexcept
	{
		if (fd_)
			return pread(fd_.get(), to, size,
			    static_cast<off_t>(from));
		// A policy may be about the file only.
		if (error_ == EPERM || error_ == EACCES)
			return read_directly(tid_, from, to, size);
		errno = error_ == ENOENT ? ESRCH : error_;
		return -1;
	}

	// The same of the part up to the first page that the process has not
	// touched, or that is a file's and not in its memory.
	ssize_t
	read_present(std::uintptr_t from, void *to, std::size_t size)
	    const noexcept
	{
		return read_part(from, to, size, has_pages() ?
		    present_bytes(pages_.get(), from, size) : 0);
	}
	// known: of the same process, with what was asked a moment ago.
	ssize_t
	read_present(std::uintptr_t from, void *to, std::size_t size,
	    present_pages &known) const noexcept
	{
		return read_part(from, to, size, present(from, size, known));
	}
	// Returns how much of it that is.
	std::size_t
	present(std::uintptr_t from, std::size_t size, present_pages &known)
	    const noexcept
	{
		return has_pages() ? known.present(pages_.get(), from, size) :
		    0;
	}
	// Reads that much of it.
	ssize_t
	read_part(std::uintptr_t from, void *to, std::size_t size,
	    std::size_t there) const noexcept
	{
		if (there != 0)
			return read(from, to, there);
		errno = EIO;
		return size == 0 ? 0 : -1;
	}

private:
	bool
	has_pages() const noexcept
	{
		if (!pages_) {
			char path[32];
			std::snprintf(path, sizeof path, "/proc/%d/pagemap",
			    tid_);
			pages_ = unique_fd(open(path, O_RDONLY | O_CLOEXEC));
		}
		return static_cast<bool>(pages_);
	}

	void
	take(int fd) noexcept
	{
		error_ = fd < 0 ? errno : 0;
		fd_ = unique_fd(fd);
	}

	unique_fd	fd_;
	mutable unique_fd pages_;	// the pagemap, once it was asked for
	pid_t		tid_ = 0;
	int		error_ = ENOENT;
};

// Reads once.
inline ssize_t
read_process(pid_t tid, std::uintptr_t from, void *to, std::size_t size)
    noexcept
{
	return process_memory(tid).read(from, to, size);
}

// 0, or why read_directly() never works here: ENOSYS; or what a seccomp filter
// returns, EPERM perhaps.
inline int
probe_read_directly() noexcept
{
	const int here = 9;
	int there = 0;
	const ssize_t n = read_directly(getpid(),
	    reinterpret_cast<std::uintptr_t>(&here), &there, sizeof there);
	return n == sizeof there && there == here ? 0 : n < 0 ? errno : EIO;
}

} // namespace stack9
