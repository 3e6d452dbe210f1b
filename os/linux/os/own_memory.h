// Copies memory of this process that may not be there, and asks whether it is,
// by system calls that fail where a load would fault.  Async-signal-safe.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>

#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

namespace stack9 {

// 0; EFAULT: a part of it may have been copied; ENOSYS: the kernel lacks the
// call, or a filter refuses it.  May change errno.
inline int
copy_own(void *to, const void *from, std::size_t size) noexcept
{
	const iovec target{to, size}, source{const_cast<void *>(from), size};
	if (size == 0)
		return 0;
	const ssize_t n = process_vm_readv(getpid(), &target, 1, &source, 1,
	    0);
	if (n == static_cast<ssize_t>(size))
		return 0;
	return n < 0 && (errno == ENOSYS || errno == EPERM) ? ENOSYS : EFAULT;
}

// Returns true if the word at this address can be read.  It takes 0.1 us, and
// keeps errno.
//
// It asks for an operation that does not exist, on a signal mask at this
// address.  The kernel reads the mask first, if it is not NULL.  The call fails
// in either case and changes nothing.
inline bool
is_readable(std::uintptr_t at) noexcept
{
	constexpr int no_operation = -1;
	constexpr std::size_t mask_size = 8;
	const int saved = errno;
	const bool is = syscall(SYS_rt_sigprocmask, no_operation, at, nullptr,
	    mask_size) == 0 || errno != EFAULT;
	errno = saved;
	return is;
}

} // namespace stack9
