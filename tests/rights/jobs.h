// Does each job of the library once, and says in a line how it ended.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>

// These are made with all rights, before a setting is entered.
struct surroundings {
	pid_t		stranger;	// sleeps; of another user
	std::uint64_t	function;	// of the kernel: its address
	std::string	folder;		// programs that every user may run
	int		proc;		// /proc; a setting may hide it
};

struct job_outcome {
	std::string	job, outcome;
};

// With the rights that the calling process has.  An outcome is "works", "in
// part" with the reason, or the name of an errno with the sentence.
std::vector<job_outcome> do_all_jobs(const surroundings &);
