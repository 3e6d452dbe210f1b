// Runs a body in a child.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "child_status.h"

#include <cstdio>

#include <sys/wait.h>
#include <unistd.h>

int
status_of(const std::function<int()> &body)
{
	std::fflush(nullptr);
	const pid_t pid = fork();
	if (pid == 0)
		_exit(body());
	int status = 0;
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}
