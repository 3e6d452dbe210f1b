// Copies from addresses that may be bad, as copyin(9) and uiomove(9) do.  There
// is one address space, so the kernel is asked to read and write this process
// itself: a bad address is an error then, and no fault.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <stack9/sys/uio.h>

#include "os/own_memory.h"
#include "os/uncancelled.h"

namespace stack9 {

inline constexpr std::size_t page_bytes = 4096;	// no page is smaller

// Copies within this process.  0; EFAULT, and a part may have been copied.
inline int
copy(void *to, const void *from, std::size_t len) noexcept
{
	const uncancelled guard;
	const int saved = errno;
	int error = copy_own(to, from, len);
	// A kernel without this call, or a filter, leaves only trust.
	if (error == ENOSYS) {
		std::memcpy(to, from, len);
		error = 0;
	}
	errno = saved;
	return error;
}

// Reads up to the first NUL, a page at a time: the next page may be bad.
inline int
copy_string(char *to, const char *from, std::size_t len, std::size_t &done)
    noexcept
{
	done = 0;
	while (done < len) {
		const std::size_t left = page_bytes -
		    reinterpret_cast<std::uintptr_t>(from + done) % page_bytes;
		const std::size_t n = std::min(left, len - done);
		if (const int error = copy(to + done, from + done, n))
			return error;
		const std::size_t text = strnlen(to + done, n);
		if (text < n) {
			done += text + 1;
			return 0;
		}
		done += n;
	}
	return ENAMETOOLONG;
}

inline int
move_uio(void *p, int n, struct uio *uio) noexcept
{
	auto *at = static_cast<char *>(p);
	auto left = static_cast<std::size_t>(std::max(n, 0));
	while (left > 0 && uio->uio_resid > 0 && uio->uio_iovcnt > 0) {
		iovec &v = *uio->uio_iov;
		const std::size_t part = std::min(left, v.iov_len);
		const int error = uio->uio_rw == UIO_READ ?
		    copy(v.iov_base, at, part) :
		    copy(at, v.iov_base, part);
		if (error != 0)
			return error;
		v.iov_base = static_cast<char *>(v.iov_base) + part;
		v.iov_len -= part;
		uio->uio_resid -= static_cast<ssize_t>(part);
		uio->uio_offset += static_cast<off_t>(part);
		at += part;
		left -= part;
		if (v.iov_len == 0) {
			uio->uio_iov++;
			uio->uio_iovcnt--;
		}
	}
	return 0;
}

} // namespace stack9
