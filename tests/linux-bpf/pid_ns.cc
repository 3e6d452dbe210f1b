// Makes a pid namespace and a mount namespace.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "pid_ns.h"

#include <csignal>

#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>

#include "lib/process.h"
#include "mounts.h"

using lib::in_child;

namespace {

int
run_as_init(const std::function<int()> &body)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!own_mounts() ||
	    mount("proc", "/proc", "proc", 0, nullptr) != 0)
		return 77;
	return body();
}

} // namespace

int
in_new_pid_ns(const std::function<int()> &body)
{
	return in_child([&] {
		if (unshare(CLONE_NEWPID) != 0)
			return 77;
		return in_child([&] { return run_as_init(body); });
	});
}
