// Tries a call whose n-th call of a kind fails.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <set>
#include <string>

#include <sys/types.h>

#include "calls.h"
#include "shim.h"

struct injection {
	shim::kind	what;
	int		error;
	std::set<int>	allowed;	// what the call may return then
};

// Each returns what was wrong, one a line; "" nothing.

// The number of calls that have been made to fail so far.
long injected_so_far();

// In processes of their own, with n = 1, 2, ...: the first call of a process
// fails, the second one works, and no descriptor is left over.  most: so many
// processes, spread over all n.
std::string first_calls_fail(const call &, const injection &, pid_t, long most);
// In one process: a call that has worked before fails, the next one works, and
// nothing is left over that grows.
std::string later_calls_fail(const call &, const injection &, pid_t, long most);
