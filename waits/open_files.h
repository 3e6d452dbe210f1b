// Keeps which files, pipes and sockets all processes have open.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include <sys/stat.h>
#include <sys/types.h>

namespace stack9::waits {

// A file, as it differs from all others.
struct file_id {
	dev_t		device;
	std::uint64_t	inode;
	std::uint32_t	mode;		// S_IFIFO and so on

	bool
	operator==(const file_id &o) const
	{
		return device == o.device && inode == o.inode;
	}
};

// The file of a descriptor.  path is relative to dir, as for openat(2).  False:
// it cannot be read.  No server of a network file system is asked, because one
// that is dead would never answer.
bool read_file_id(int dir, const char *path, file_id &) noexcept;
// The same of descriptor fd of a thread.
bool descriptor_file(pid_t tid, int fd, file_id &) noexcept;
// The link of /proc/TID/fd/N; "" if it cannot be read.
std::string descriptor_name(pid_t tid, int fd);

struct open_file {
	dev_t		device;
	std::uint64_t	inode;
	pid_t		pid;
	int		fd;
	bool		reads, writes;	// of a pipe or FIFO only

	auto
	key() const
	{
		return std::tuple(device, inode, pid, fd);
	}
};

class open_files {
public:
	// The descriptors of all processes that are this file, by ascending
	// pid.  All descriptors are read at the first call.
	std::span<const open_file>	of(dev_t, std::uint64_t inode);
	// Those of all files of a device.
	std::span<const open_file>	of_device(dev_t);
	// True if some process's descriptors could not be read.
	bool
	is_partial() const
	{
		return partial_;
	}

private:
	void	read_all();
	void	read_process(pid_t);

	std::vector<open_file>	all_;
	bool			is_read_ = false, partial_ = false;
};

} // namespace stack9::waits
