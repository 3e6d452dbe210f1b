// Opens /proc/TID of the thread that is meant.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "os/open_task.h"

#include <cerrno>
#include <cstdio>

#include <fcntl.h>

#include "os/proc_error.h"
#include "os/stat_line.h"

namespace stack9 {
namespace {

int
start_in(int dir, const char *path, std::uint64_t &start) noexcept
{
	char text[512];		// field 22 ends before 500
	const unique_fd fd(openat(dir, path, O_RDONLY | O_CLOEXEC));
	if (!fd)
		return proc_error(errno);
	const ssize_t size = read(fd.get(), text, sizeof text);
	if (size < 0)
		return proc_error(errno);
	thread_stat stat;
	if (!parse_stat({text, static_cast<std::size_t>(size)}, stat))
		return ESRCH;
	start = stat.start;
	return 0;
}

} // namespace

int
start_of(int task, std::uint64_t &start) noexcept
{
	return start_in(task, "stat", start);
}

// The stat of a task directory is that of one thread.  The one of /proc/TID
// adds up the times of all threads of the process.
int
open_task(pid_t tid, std::uint64_t start, unique_fd &task) noexcept
{
	char path[40];
	std::snprintf(path, sizeof path, "/proc/%d", tid);
	unique_fd dir(open(path, O_PATH | O_DIRECTORY | O_CLOEXEC));
	if (!dir)
		return proc_error(errno);
	std::uint64_t has = start;
	if (start != 0) {
		std::snprintf(path, sizeof path, "task/%d/stat", tid);
		if (const int error = start_in(dir.get(), path, has);
		    error != 0)
			return error;
	}
	if (has != start)
		return ESRCH;
	task = std::move(dir);
	return 0;
}

} // namespace stack9
