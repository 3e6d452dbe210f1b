// A machine of scripted threads, so that all of kpi can be tested without
// privilege.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <backend.h>

namespace fake {

enum class mode {
	sleeping,	// pcs are its kernel stack
	in_user,	// on a CPU, in user mode
	in_kernel,	// on a CPU, pcs are its kernel stack
	moving,		// on a CPU, but never on the one looked at
	torn,		// its stack changes while it is read
	zombie,
};

struct thread {
	std::uint64_t			 start;
	mode				 doing = mode::sleeping;
	std::vector<std::uintptr_t>	 pcs{};
	int				 tries = 0;	// then it sleeps
	int				 dirty = 0;	// pcs left by a failure
};

struct machine {
	std::map<pid_t, thread>		 threads;
	std::vector<std::uintptr_t>	 own;	// what job::self finds
	stack9::verdict			 first{0, nullptr};
	stack9::verdict			 second{0, nullptr};
	stack9::verdict			 running{0, nullptr};
	int				 each_ends = 0;	// with this error
	std::vector<std::string>	 asked;	// routes, as they were asked
	std::uintptr_t			 first_pc = 0;	// job::self was given
};
extern machine now;

// A new, empty machine for each test.
struct fresh {
	fresh() { now = machine{}; }
};

} // namespace fake
