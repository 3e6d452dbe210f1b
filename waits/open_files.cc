// Reads the descriptors of all processes once, for those that wait for who has
// a file, the other end of a pipe, or a socket.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "open_files.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#ifndef STATX_TYPE	// musl has statx(2) from 1.2.5 on
#include <linux/stat.h>
#include <sys/syscall.h>
#endif

#include "os/task_directory.h"
#include "os/unique_dir.h"

namespace stack9::waits {
namespace {

int
ask_file(int dir, const char *path, struct statx &file) noexcept
{
	constexpr int flags = AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT;
	constexpr unsigned int wanted = STATX_TYPE | STATX_INO;
#ifdef SYS_statx
	return static_cast<int>(syscall(SYS_statx, dir, path, flags, wanted,
	    &file));
#else
	return statx(dir, path, flags, wanted, &file);
#endif
}

} // namespace

// Device and inode are those that the kernel has in its memory, with or without
// AT_STATX_DONT_SYNC; stat(2) asks an NFS or FUSE server for the other
// attributes.
bool
read_file_id(int dir, const char *path, file_id &id) noexcept
{
	struct statx file{};
	if (ask_file(dir, path, file) != 0)
		return false;
	id = {makedev(file.stx_dev_major, file.stx_dev_minor), file.stx_ino,
	    file.stx_mode};
	return true;
}

bool
descriptor_file(pid_t tid, int fd, file_id &id) noexcept
{
	char path[64];
	std::snprintf(path, sizeof path, "/proc/%d/fd/%d", tid, fd);
	return read_file_id(AT_FDCWD, path, id);
}

std::string
descriptor_name(pid_t tid, int fd)
{
	char path[64], name[PATH_MAX];
	std::snprintf(path, sizeof path, "/proc/%d/fd/%d", tid, fd);
	const ssize_t n = readlink(path, name, sizeof name);
	return n > 0 ? std::string(name, static_cast<std::size_t>(n)) :
	    std::string();
}

// The rights of a link in /proc/PID/fd are the descriptor's.
void
open_files::read_process(pid_t pid)
{
	char path[48];
	std::snprintf(path, sizeof path, "/proc/%d/fd", pid);
	const unique_dir fds = open_dir(path);
	if (fds == nullptr) {
		partial_ |= errno == EACCES || errno == EPERM;
		return;
	}
	while (const dirent *const e = readdir(fds.get())) {
		file_id id{};
		open_file f{};
		if (e->d_name[0] == '.' || !read_file_id(dirfd(fds.get()),
		    e->d_name, id))
			continue;
		std::from_chars(e->d_name, e->d_name + std::strlen(e->d_name),
		    f.fd);
		struct stat link{};
		if (S_ISFIFO(id.mode) && fstatat(dirfd(fds.get()), e->d_name,
		    &link, AT_SYMLINK_NOFOLLOW) == 0) {
			f.reads = (link.st_mode & S_IRUSR) != 0;
			f.writes = (link.st_mode & S_IWUSR) != 0;
		}
		f.device = id.device;
		f.inode = id.inode;
		f.pid = pid;
		all_.push_back(f);
	}
}

void
open_files::read_all()
{
	is_read_ = true;
	if (const unique_dir proc = open_dir("/proc"))
		each_task(dirfd(proc.get()), [&](pid_t pid) {
			read_process(pid);
			return true;
		});
	std::sort(all_.begin(), all_.end(), [](const auto &a, const auto &b) {
		return a.key() < b.key();
	});
}

std::span<const open_file>
open_files::of(dev_t device, std::uint64_t inode)
{
	if (!is_read_)
		read_all();
	const open_file wanted{device, inode, 0, 0, false, false};
	const auto [from, to] = std::equal_range(all_.begin(), all_.end(),
	    wanted, [](const open_file &a, const open_file &b) {
		return std::tie(a.device, a.inode) <
		    std::tie(b.device, b.inode);
	});
	return {from, to};
}

std::span<const open_file>
open_files::of_device(dev_t device)
{
	if (!is_read_)
		read_all();
	const open_file wanted{device, 0, 0, 0, false, false};
	const auto [from, to] = std::equal_range(all_.begin(), all_.end(),
	    wanted, [](const open_file &a, const open_file &b) {
		return a.device < b.device;
	});
	return {from, to};
}

} // namespace stack9::waits
