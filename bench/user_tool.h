// Runs programs that print the user stacks of a process, started afresh for
// each dump, in turns.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "user_target.h"

struct user_tool {
	std::string			name;
	std::vector<std::string>	command;	// PID: the target's
};

// The figures of all runs of one program.
struct user_runs {
	std::vector<double>		wall_us;
	std::vector<double>		cpu_us;
	std::vector<double>		largest_ns;	// gap of each run
	std::vector<std::uint64_t>	slice_ns;	// of all slices of all
	long				rss_kib = 0;
	unsigned			named = 0;	// lines with a frame of
							// the target's
	int				status = 0;	// as wait(2) has it

	double spent_us() const;
};

// How long one of them may run in all, apart from its least runs.
struct patience {
	double		us;
	unsigned	least, most;
};

std::vector<user_runs> run_in_turns(user_target &,
    const std::vector<user_tool> &, const patience &);
