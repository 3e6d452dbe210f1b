// Keeps the thread pointers of the threads of processes.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include <sys/types.h>

#include "core/seam/kept_process.h"

namespace stack9::waits {

// An interpreter's structures name a thread by its pointer.
class thread_pointers {
public:
	struct one {
		std::uint64_t	pointer;
		pid_t		tid;
	};
	// Has those of a core from now on.
	void use(const kept_process &p) noexcept { kept_ = &p; }

	// They are read once.  Throws std::bad_alloc.
	const std::vector<one>	&of(pid_t);

private:
	const kept_process			*kept_ = nullptr;
	std::map<pid_t, std::vector<one>>	known_;
};

} // namespace stack9::waits
