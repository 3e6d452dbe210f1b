// Says what an errno of a file below /proc/TID means.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>

#include <unistd.h>

namespace stack9 {

inline constexpr const char *no_proc = "/proc is not mounted here";

// May change errno.
inline bool
has_proc() noexcept
{
	return access("/proc/self/stat", F_OK) == 0 || errno != ENOENT;
}

// ESRCH: no such thread; EPERM; EOPNOTSUPP: /proc is not mounted, so no thread
// can be found there; EMFILE...
inline int
proc_error(int error) noexcept
{
	if (error == ENOENT)
		return has_proc() ? ESRCH : EOPNOTSUPP;
	return error == EACCES ? EPERM : error;
}

} // namespace stack9
