// Gives up descriptors and capabilities, for processes that work on what
// strangers made.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>

#include <fcntl.h>
#include <sys/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace stack9 {

// Linux before 5.9, and some filters of containers, do not have close_range(2).
inline void
close_range_of(unsigned int first, unsigned int last) noexcept
{
	if (first > last ||
	    syscall(SYS_close_range, first, last, 0) == 0)
		return;
	const auto end = static_cast<unsigned int>(sysconf(_SC_OPEN_MAX));
	for (unsigned int fd = first; fd <= last && fd < end; fd++)
		close(static_cast<int>(fd));
}

// A container may have no /dev.  A pipe without a writer has nothing to read,
// and its end for reading cannot be written to.
inline int
open_nothing() noexcept
{
	const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int ends[2];
	if (null >= 0 || pipe2(ends, O_CLOEXEC) != 0)
		return null;
	close(ends[1]);
	return ends[0];
}

// Keeps one descriptor; 0 to 2 become /dev/null.  0, or an errno.
inline int
close_all_but(int kept) noexcept
{
	const int nothing = open_nothing();
	if (nothing < 0)
		return errno;
	for (int fd = 0; fd <= 2; fd++)
		if (fd != nothing && dup2(nothing, fd) < 0)
			return errno;
	close_range_of(3, static_cast<unsigned int>(kept) - 1);
	close_range_of(static_cast<unsigned int>(kept) + 1, ~0u);
	return 0;
}

inline int
drop_capabilities() noexcept
{
	const cap_t none = cap_init();
	const int error = none == nullptr || cap_set_proc(none) != 0 ? errno :
	    0;
	cap_free(none);
	return error;
}

} // namespace stack9
