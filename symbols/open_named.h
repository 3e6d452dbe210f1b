// Opens files whose names are written in other files.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>
#include <new>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>

#include "core/seam/debug_dirs.h"
#include "core/seam/outside.h"
#include "os/strangers_file.h"

namespace stack9 {

// Opens an ELF file.  0; EINVAL: it is not a regular file; ENOENT and the like.
inline int
open_named(const char *path, unique_fd &fd, struct stat *st = nullptr) noexcept
try {
	struct stat seen;
	struct stat &to = st != nullptr ? *st : seen;
	outside *const o = the_outside.load();
	if (o == nullptr) {
		int here = open_regular(AT_FDCWD, path, fd, to);
		if (here == ENOENT)
			for (const std::string &other :
			    debug_dirs::others(path))
				if (here != 0)
					here = open_regular(AT_FDCWD,
					    other.c_str(), fd, to);
		return here;
	}
	const int error = o->open_elf(path, fd);
	return error != 0 ? error : stat_now(fd.get(), to);
} catch (const std::bad_alloc &) {
	return ENOMEM;
}

} // namespace stack9
