// Copies memory that may not be there through a pipe: write(2) says EFAULT.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>

#include <unistd.h>

#include "unique_fd.h"

namespace stack9 {

inline int
copy_own(void *to, const void *from, std::size_t size) noexcept
{
	constexpr std::size_t most = 512;	// of POSIX's least PIPE_BUF
	int ends[2];
	if (pipe(ends) != 0)
		return ENOSYS;
	const unique_fd out(ends[0]), in(ends[1]);
	for (std::size_t done = 0; done < size;) {
		const std::size_t part = std::min(size - done, most);
		const ssize_t n = write(in.get(),
		    static_cast<const char *>(from) + done, part);
		if (n <= 0 || read(out.get(), static_cast<char *>(to) + done,
		    static_cast<std::size_t>(n)) != n)
			return EFAULT;
		done += static_cast<std::size_t>(n);
	}
	return 0;
}

inline bool
is_readable(std::uintptr_t at) noexcept
{
	const int saved = errno;
	std::uintptr_t word;
	const int error = copy_own(&word, reinterpret_cast<const void *>(at),
	    sizeof word);
	errno = saved;
	return error == 0;
}

} // namespace stack9
