// Reads the memory of a process by process_vm_readv(2).  Allocates nothing;
// may change errno; async-signal-safe.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>

#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

namespace stack9 {

// Copies the readable part of [from, from + size), up to the first hole.
// Returns the number of bytes; -1 and errno if there are none.
//
// The manual page says that a transfer never splits an iovec.  The kernel (3.2
// to 6.18) copies up to the first page that it cannot reach and returns that
// size.
inline ssize_t
read_process(pid_t tid, std::uintptr_t from, void *to, std::size_t size)
    noexcept
{
	const iovec local{to, size};
	const iovec remote{reinterpret_cast<void *>(from), size};
	return process_vm_readv(tid, &local, 1, &remote, 1, 0);
}

// Copies count places, one after the other.  Returns the number of bytes before
// the first that cannot be read; -1 and errno if there are none.
inline ssize_t
read_process(pid_t tid, const iovec *local, const iovec *remote,
    std::size_t count) noexcept
{
	return process_vm_readv(tid, local, count, remote, count, 0);
}

// 0, or why read_process() never works here: ENOSYS; or what a seccomp filter
// returns, EPERM perhaps.
inline int
probe_read_process() noexcept
{
	const int here = 9;
	int there = 0;
	const ssize_t n = read_process(getpid(),
	    reinterpret_cast<std::uintptr_t>(&here), &there, sizeof there);
	return n == sizeof there && there == here ? 0 : n < 0 ? errno : EIO;
}

} // namespace stack9
