// Changes the surroundings of a capture: the user, the capabilities, /proc.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <stack9.h>

inline constexpr int cap_sys_ptrace = 19, cap_perfmon = 38, cap_bpf = 39;

// Holds the result of one capture by the public call.
struct outcome {
	int		error;
	int		why;		// of the side
	std::string	route, reason;
	std::vector<std::uint64_t> pcs;	// the route may know none
	std::vector<std::string> names;	// function+0xoffset; "": no name

	outcome(pid_t tid, int side);

	// The errno; or 0, and the stack is whole and that one; otherwise 96.
	int	beside(const outcome &right) const;
};

// The stack of a sleeper by all rights.  If it is the kernel's, /proc/TID/stack
// has the same.
outcome right_stack(pid_t tid, int side);

// From now on this process is uid 65534 with these capabilities and no others.
// The process can still be traced.
bool become_nobody(std::initializer_list<int> capabilities = {});

// The program is skipped with this reason unless the condition holds.
boost::unit_test::decorator::precondition only_if(bool (*)(),
    const char *reason);

// Returns whether lockdown is this word.
bool locked_down(const char *word);
