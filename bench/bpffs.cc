// Mounts a bpffs that nobody else sees.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "bpffs.h"

#include <cerrno>
#include <cstring>

#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

static int
mount_it(const char *where)
{
	if (unshare(CLONE_NEWNS) != 0 ||
	    mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
	    mount("bpf", where, "bpf", 0, "mode=0700") != 0)
		return errno;
	return 0;
}

std::string
private_bpffs(std::string &why)
{
	// Over whatever is there: /sys is there on every machine.
	static const int error = mount_it("/sys/fs/bpf");
	if (error != 0) {
		why = std::string("no bpffs: ") + std::strerror(error);
		return "";
	}
	const std::string dir = "/sys/fs/bpf/stack9-bench";
	mkdir(dir.c_str(), 0700);
	return dir;
}
