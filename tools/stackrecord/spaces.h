// Keeps what processes have mapped from tick to tick.  To read the mappings of
// a process takes five times as long as to capture a thread of it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <unordered_map>

#include <stack9.h>

#include "tools/lib/samples.h"

namespace stackrecord {

class spaces {
public:
	// Gives the space of a thread's process.  NULL: the library is to find
	// it.  The space stays until the next call for this process.
	stack9_space	*of(const stack9_thread &, std::uint64_t now_ns);

	// Forgets processes for which nobody has asked since so long.
	void	forget(std::uint64_t now_ns);

private:
	struct kept {
		kept() = default;
		~kept();
		kept(const kept &) = delete;
		kept &operator=(const kept &) = delete;
		bool	read(pid_t, std::uint64_t &mapped);

		// A descriptor of statm.  Nothing is read from it once the
		// process has ended, though another one may have the pid.
		int	fd = -1;
		tools::unique_space space;
		std::uint64_t	mapped = 0, read_ns = 0, used_ns = 0;
	};

	std::unordered_map<pid_t, kept> all_;
};

} // namespace stackrecord
