// Defines a machine of scripted threads, so that all of kpi can be tested
// without privilege.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/seam/backend.h"

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
	std::uint64_t			 next = 0;	// start of who has the
							// tid once this one
							// was looked at
};

// The user side of a thread.  Its stack is its pcs, a word each.
struct user_thread {
	std::uint64_t			 start;
	pid_t				 pid;
	mode				 doing = mode::sleeping;
	std::vector<std::uintptr_t>	 pcs{};
	int				 tries = 0;	// then it sleeps
	std::size_t			 piece = 0;	// words in the first
							// copy; 0: all
	int				 runs_on = 0;	// so often it has run
							// when asked for more
	int				 refuses = 0;	// with this error
	stack9_why			 why = STACK9_WHY_NONE;	// and this why
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

	std::map<pid_t, user_thread>	 users;
	stack9::verdict			 user_first{0, nullptr};
	stack9::verdict			 user_second{0, nullptr};
	stack9::verdict			 user_running{0, nullptr};
	bool				 both = false;	// sides by one route
	bool				 second_stops = false;	// user_second
	bool				 more = true;	// of a stack, if asked
	int				 refusals = 0;	// of user_first, with
	int				 refused_with = 0;	// this error
	// Spaces: an error for opening one, pcs that only the second reading of
	// the mappings finds, and what has been done with them.
	int				 space_error = 0;
	std::set<std::uintptr_t>	 mapped_late;
	int				 opened = 0, renewed = 0, dropped = 0;
};
extern machine now;

// A new, empty machine for each test.
struct fresh {
	fresh() { now = machine{}; }
};

} // namespace fake
