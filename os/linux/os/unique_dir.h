// Owns one open directory and closes it at the end of its life.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

#include <dirent.h>

namespace stack9 {

struct dir_closer {
	void operator()(DIR *d) const noexcept { closedir(d); }
};
using unique_dir = std::unique_ptr<DIR, dir_closer>;

// NULL: it cannot be opened; errno says why.
inline unique_dir
open_dir(const char *path) noexcept
{
	return unique_dir(opendir(path));
}

} // namespace stack9
