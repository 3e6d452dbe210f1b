// Opens what a way leads to.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "way.h"

#include <cerrno>

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>

#include "os/strangers_file.h"

namespace stack9::process {

unique_fd
go(int dir, const way &w, std::uint64_t resolve) noexcept
{
	if (w.resolve == 0 && resolve == 0)
		return unique_fd(openat(dir, w.path, O_PATH | O_CLOEXEC |
		    static_cast<int>(w.flags)));
	open_how how{};
	how.flags = O_PATH | O_CLOEXEC | w.flags;
	how.resolve = w.resolve | resolve;
	return unique_fd(static_cast<int>(syscall(SYS_openat2, dir, w.path,
	    &how, sizeof how)));
}

int
open_seen(const unique_fd &seen, const way &w, unique_fd &to, struct stat &st)
    noexcept
{
	if (const int error = stat_now(seen.get(), st); error != 0)
		return error;
	return w.inode != 0 && st.st_ino != w.inode ? ENOENT :
	    open_regular(seen, st, to);
}

int
open_here(int dir, const way &w, unique_fd &to, struct stat &st) noexcept
{
	const unique_fd seen = go(dir, w);
	return seen ? open_seen(seen, w, to, st) : errno;
}

} // namespace stack9::process
