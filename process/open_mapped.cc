// Opens a mapped file by the names that it may have.
//
// A name may be another file's by now, or lead to another place here than in
// the process, even to a device.  So a name is opened for reading only if it
// leads to a regular file whose inode is the mapping's.  Only the inode numbers
// are compared: on btrfs and overlayfs the device that maps shows is not
// stat's, and while a file is mapped its number is not used again.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "open_mapped.h"

#include <cerrno>
#include <cstdio>
#include <new>
#include <string>

#include <fcntl.h>

#include "os/linux/open_regular.h"

namespace stack9::process {
namespace {

bool
just_now(int error) noexcept
{
	return error == EMFILE || error == ENFILE || error == ENOMEM;
}

int
open_if_same(int task, const char *path, std::uint64_t inode,
    unique_fd &to) noexcept
{
	const unique_fd seen(openat(task, path, O_PATH | O_CLOEXEC));
	struct stat st;
	if (!seen)
		return just_now(errno) ? errno : ENOENT;
	if (fstat(seen.get(), &st) != 0 || st.st_ino != inode)
		return ENOENT;
	unique_fd fd;
	if (const int error = open_regular(seen, fd, st); error != 0)
		return just_now(error) ? error : ENOENT;
	to = std::move(fd);
	return 0;
}

// The surest name comes first: the mapped file itself, which needs
// CAP_CHECKPOINT_RESTORE or CAP_SYS_ADMIN; then its name in the process's root
// directory; its name here; the program.
int
try_all(int task, const mapping &m, unique_fd &to)
{
	char range[64];
	std::snprintf(range, sizeof range, "map_files/%lx-%lx", m.start, m.end);
	const std::string there = "root" + m.path;
	const std::string marked = m.deleted ? there + " (deleted)" : "";
	for (const char *path : {static_cast<const char *>(range),
	    there.c_str(), marked.c_str(), m.path.c_str(), "exe"}) {
		if (*path == '\0')
			continue;
		const int error = open_if_same(task, path, m.inode, to);
		if (error != ENOENT)
			return error;
	}
	return ENOENT;
}

} // namespace

int
open_mapped(int task, const mapping &m, unique_fd &to) noexcept
try {
	return m.inode == 0 ? ENOENT : try_all(task, m, to);
} catch (const std::bad_alloc &) {
	return ENOMEM;
}

} // namespace stack9::process
