// Finds the processes that have an end of a pipe open.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace stack9::waits {

class pipe_ends {
public:
	struct end {
		pid_t	pid;
		bool	reads, writes;
	};
	// The ends of the pipe with this device and inode.  The descriptors of
	// all processes are read at the first call.
	const std::vector<end>	&of(dev_t, ino_t);
	// True if some process's descriptors could not be read.
	bool
	is_partial() const
	{
		return partial_;
	}

private:
	void	read_all();
	void	read_process(pid_t);

	std::map<std::pair<dev_t, ino_t>, std::vector<end>> ends_;
	bool	is_read_ = false, partial_ = false;
};

} // namespace stack9::waits
