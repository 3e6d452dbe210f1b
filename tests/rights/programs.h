// Runs each program once, and says in a line how it ended.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "jobs.h"

// folder: has copies of the programs, and a folder that everybody may write.
// waits: waits for a child of its own; naps: sleeps again and again.  An
// outcome is the exit status, and what the program says on standard error.
std::vector<job_outcome> run_programs(const std::string &folder, pid_t sleeps,
    pid_t waits, pid_t naps);
