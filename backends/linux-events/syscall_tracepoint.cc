// Reads the number of a system call's own tracepoint from tracefs.  If tracefs
// is mounted, that mount is read; else one is made that is mounted nowhere: its
// descriptor is the only way to it, and closing the descriptor ends it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "syscalls.h"

#include <cstdlib>
#include <new>
#include <string>

#include <fcntl.h>
#include <linux/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "os/linux/unique_fd.h"

#include "tracepoints.h"

namespace stack9::events {
namespace {

// Needs CAP_SYS_ADMIN.  glibc has these calls since 2.36 only.
unique_fd
mounted_nowhere() noexcept
{
	const unique_fd context(static_cast<int>(syscall(SYS_fsopen,
	    "tracefs", FSOPEN_CLOEXEC)));
	if (!context || syscall(SYS_fsconfig, context.get(),
	    FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) != 0)
		return unique_fd();
	return unique_fd(static_cast<int>(syscall(SYS_fsmount,
	    context.get(), FSMOUNT_CLOEXEC, 0)));
}

unique_fd
root_of_tracefs()
{
	const std::string mounted = tracefs();
	return mounted.empty() ? mounted_nowhere() :
	    unique_fd(open(mounted.c_str(),
	    O_PATH | O_DIRECTORY | O_CLOEXEC));
}

std::uint64_t
number_in(int dir, const char *path) noexcept
{
	const unique_fd file(dir < 0 ? -1 :
	    openat(dir, path, O_RDONLY | O_CLOEXEC));
	char digits[32];
	const ssize_t n = file ? read(file.get(), digits, sizeof digits - 1) :
	    0;
	digits[n > 0 ? n : 0] = '\0';
	return std::strtoull(digits, nullptr, 10);
}

} // namespace

std::uint64_t
syscall_tracepoint(const point &p) noexcept
{
	try {
		const unique_fd root = root_of_tracefs();
		for (const std::string &name : syscall_tracepoint_names(p)) {
			const std::string path = "events/syscalls/" + name +
			    "/id";
			if (const std::uint64_t n = number_in(root.get(),
			    path.c_str()); n != 0)
				return n;
		}
		return 0;
	} catch (const std::bad_alloc &) {
		return 0;
	}
}

} // namespace stack9::events
