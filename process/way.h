// Declares the way to a file, and how it is gone.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <sys/stat.h>

#include "os/unique_fd.h"

namespace stack9::process {

// The way to a file: as openat2(2) goes it.
struct way {
	const char	*path;
	std::uint64_t	inode = 0;	// that the file must have; 0: any
	std::uint64_t	flags = 0;	// O_NOFOLLOW, beside those of reading
	std::uint64_t	resolve = 0;
};

// Goes the way from dir, and reads nothing; resolve: more of the flags.  No
// descriptor: there is an errno.
unique_fd go(int dir, const way &, std::uint64_t resolve = 0) noexcept;

// Opens the regular file that was found for reading.  0; ENOENT: it is
// another one; or as open_regular().  Nothing here allocates.
int open_seen(const unique_fd &seen, const way &, unique_fd &to, struct stat &)
    noexcept;

// Does both.
int open_here(int dir, const way &, unique_fd &to, struct stat &) noexcept;

} // namespace stack9::process
