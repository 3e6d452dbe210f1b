// Gives the calling process mounts of its own, for tests that mount.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <sched.h>
#include <sys/mount.h>

// False, with errno, if the machine refuses a mount namespace or if / is not a
// mount point, as in a plain chroot(2): others would see what is mounted then.
// needs("mounts") asks the same of a child.
inline bool
own_mounts()
{
	return unshare(CLONE_NEWNS) == 0 &&
	    mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}
