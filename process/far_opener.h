// Runs a process that opens files for this one.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstdint>

#include <sys/types.h>

#include "way.h"

namespace stack9::process {

class far_opener {
public:
	// 0; an errno of open_here(); ETIMEDOUT: it did not come back in time;
	// EMFILE, ENOMEM, EAGAIN: not now; ENAMETOOLONG.
	int open(int dir, const way &, std::uint64_t ns, unique_fd &to)
	    noexcept;
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
