// Runs a process that opens files for this one.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstdint>

#include <sys/types.h>

#include "way.h"

namespace stack9::process {

// Reads memory by /proc/TID/mem, so that its pages come to be there.  0; EIO.
// It allocates nothing.
int touch(int memory, std::uint64_t from, std::uint64_t size) noexcept;

class far_opener {
public:
	// 0; an errno of open_here(); ETIMEDOUT: it did not come back in time;
	// EMFILE, ENOMEM, EAGAIN: not now; ENAMETOOLONG.
	int open(int dir, const way &, std::uint64_t ns, unique_fd &to)
	    noexcept;
	// Has it read memory of a process.  0; EIO; ETIMEDOUT and the others.
	int touch(int memory, std::uint64_t from, std::uint64_t size,
	    std::uint64_t ns) noexcept;
	// Forgets the process of our parent.
	void leave() noexcept;

private:
	int	start() noexcept;
	int	ask(int dir, const way &, std::uint64_t ns, unique_fd &to)
		    noexcept;
	void	give_up() noexcept;
	void	reap() noexcept;

	unique_fd	socket_;
	pid_t		pid_ = 0;
	std::array<pid_t, 64> left_{};	// those that had not ended
};

} // namespace stack9::process
