// Reads the descriptors of all processes for the ends of pipes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "pipe_ends.h"

#include <cerrno>
#include <cstdio>

#include <sys/stat.h>

#include "core/seam/thread.h"
#include "os/linux/unique_dir.h"

namespace stack9::waits {

// The rights of a link in /proc/PID/fd are the descriptor's.
void
pipe_ends::read_process(pid_t pid)
{
	char path[48];
	std::snprintf(path, sizeof path, "/proc/%d/fd", pid);
	const unique_dir fds = open_dir(path);
	if (fds == nullptr) {
		partial_ |= errno == EACCES || errno == EPERM;
		return;
	}
	while (const dirent *const e = readdir(fds.get())) {
		struct stat file{}, link{};
		if (e->d_name[0] == '.' || fstatat(dirfd(fds.get()),
		    e->d_name, &file, 0) != 0 || !S_ISFIFO(file.st_mode) ||
		    fstatat(dirfd(fds.get()), e->d_name, &link,
		    AT_SYMLINK_NOFOLLOW) != 0)
			continue;
		std::vector<end> &all = ends_[{file.st_dev, file.st_ino}];
		if (all.empty() || all.back().pid != pid)
			all.push_back({pid, false, false});
		all.back().reads |= (link.st_mode & S_IRUSR) != 0;
		all.back().writes |= (link.st_mode & S_IWUSR) != 0;
	}
}

void
pipe_ends::read_all()
{
	is_read_ = true;
	if (const unique_dir proc = open_dir("/proc"))
		each_task(dirfd(proc.get()), [&](pid_t pid) {
			read_process(pid);
			return true;
		});
}

const std::vector<pipe_ends::end> &
pipe_ends::of(dev_t device, ino_t inode)
{
	if (!is_read_)
		read_all();
	return ends_[{device, inode}];
}

} // namespace stack9::waits
