// Distinguishes a file from the one that somebody has made of it by writing
// over it in its place.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <sys/stat.h>

#include "os/strangers_file.h"

namespace stack9::process {

struct file_state {
	std::int64_t	size = 0, changed_s = 0, changed_ns = 0;

	friend bool operator==(const file_state &, const file_state &) =
	    default;
};

inline file_state
state_of(const struct stat &st) noexcept
{
	return {st.st_size, st.st_mtim.tv_sec, st.st_mtim.tv_nsec};
}

// That of now; none: it is not known.
inline file_state
state_of(int fd) noexcept
{
	struct stat st;
	return fd >= 0 && stat_now(fd, st) == 0 ? state_of(st) : file_state();
}

} // namespace stack9::process
