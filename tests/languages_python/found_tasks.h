// Finds the tasks of asyncio of a program.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <sys/types.h>

#include <stack9.h>

#include "python_program.h"

struct task {
	std::string	head;	// "task 139 name wait_for Future"
	frames		chain;
	std::uint64_t	waits_for = 0;
	int		error = 0;
};
using all_tasks = std::map<std::uint64_t, task>;

// As stack9_coroutines().
int find(pid_t, all_tasks &to, unsigned int flags = STACK9_SAVE_LANGUAGES,
    stack9_space *space = nullptr);
