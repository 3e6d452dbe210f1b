// Asks with AT_STATX_DONT_SYNC: fstat(2) waits for an NFS or FUSE server.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "os/strangers_file.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/sysmacros.h>

namespace stack9 {
namespace {

// A filter of system calls may not know statx(2), and musl does from 1.2.5 on.
int
stat_then(int fd, struct stat &to) noexcept
{
	return fstat(fd, &to) == 0 ? 0 : errno;
}

} // namespace

int
stat_now(int fd, struct stat &to) noexcept
{
#ifdef STATX_BASIC_STATS
	struct statx x;
	if (statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC,
	    STATX_BASIC_STATS, &x) != 0)
		return errno == ENOSYS || errno == EPERM ? stat_then(fd, to) :
		    errno;
	to = {};
	to.st_dev = makedev(x.stx_dev_major, x.stx_dev_minor);
	to.st_ino = x.stx_ino;
	to.st_mode = x.stx_mode;
	to.st_uid = x.stx_uid;
	to.st_gid = x.stx_gid;
	to.st_size = static_cast<off_t>(x.stx_size);
	to.st_blocks = static_cast<blkcnt_t>(x.stx_blocks);
	to.st_mtim = {x.stx_mtime.tv_sec, x.stx_mtime.tv_nsec};
	to.st_ctim = {x.stx_ctime.tv_sec, x.stx_ctime.tv_nsec};
	return 0;
#else
	return stat_then(fd, to);
#endif
}

} // namespace stack9
