// Makes a pid namespace and a mount namespace.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "pid_ns.h"

#include <csignal>
#include <cstdio>

#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int
in_new_pid_ns(const std::function<int()> &body)
{
	std::fflush(nullptr);
	const pid_t pid = fork();
	if (pid == 0) {
		if (unshare(CLONE_NEWPID | CLONE_NEWNS) != 0)
			_exit(77);
		const pid_t init = fork();
		if (init == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			if (mount("none", "/", nullptr, MS_REC | MS_PRIVATE,
			    nullptr) != 0 ||
			    mount("proc", "/proc", "proc", 0, nullptr) != 0)
				_exit(77);
			_exit(body());
		}
		int status = 0;
		waitpid(init, &status, 0);
		_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 99);
	}
	int status = 0;
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}
