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
#include <sys/sysmacros.h>

#include "core/seam/file_notes.h"

#include "far_files.h"

namespace stack9::process {
namespace {

bool
just_now(int error) noexcept
{
	return error == EMFILE || error == ENFILE || error == ENOMEM ||
	    error == EAGAIN;
}

// The surest name comes first: the mapped file itself (with
// CAP_CHECKPOINT_RESTORE or CAP_SYS_ADMIN); then its name in the process's root
// directory; its name here; the program.
int
try_all(int task, const mapping &m, unique_fd &to, struct stat &st)
{
	char range[64];
	std::snprintf(range, sizeof range, "map_files/%lx-%lx", m.start, m.end);
	const std::string there = "root" + m.path;
	const std::string marked = m.deleted ? there + " (deleted)" : "";
	const bool near = is_near(m.major, m.minor);
	bool refused = false;
	for (const char *path : {static_cast<const char *>(range),
	    there.c_str(), marked.c_str(), m.path.c_str(), "exe"}) {
		if (*path == '\0')
			continue;
		const way w{path, m.inode};
		const int error = near ? open_here(task, w, to, st) :
		    open_far(task, w, makedev(m.major, m.minor), to, st);
		if (error == 0 || just_now(error))
			return error;
		if (error == ETIMEDOUT)
			return ENOENT;
		refused |= path == there && error == EACCES;
	}
	if (refused)
		the_file_notes.add(lacking::permission, m.path);
	return ENOENT;
}

} // namespace

int
open_mapped(int task, const mapping &m, unique_fd &to, struct stat &st)
    noexcept
try {
	return m.inode == 0 ? ENOENT : try_all(task, m, to, st);
} catch (const std::bad_alloc &) {
	return ENOMEM;
}

bool
is_named_so(int task, const mapping &m)
{
	if (!m.deleted || m.inode == 0 || !is_near(m.major, m.minor))
		return false;
	const std::string path = "root" + m.path + " (deleted)";
	unique_fd fd;
	struct stat st;
	return open_here(task, {path.c_str(), m.inode}, fd, st) == 0;
}

} // namespace stack9::process
