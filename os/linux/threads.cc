// Reads what /proc says of threads and processes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "os/threads.h"

#include <cerrno>
#include <cstdio>
#include <string_view>

#include "os/proc_error.h"
#include "os/stat_line.h"
#include "os/uncancelled.h"

namespace stack9 {
namespace {

// Reads the first size bytes of a file in /proc.  -1 and errno.
ssize_t
read_proc(int dir, const char *path, char *text, std::size_t size) noexcept
{
	const unique_fd file(openat(dir, path, O_RDONLY | O_CLOEXEC));
	return file.get() < 0 ? -1 : read(file.get(), text, size);
}

int
read_tgid(int dir, pid_t &tgid) noexcept
{
	char text[512];		// the line is the fourth
	const ssize_t size = read_proc(dir, "status", text, sizeof text);
	if (size < 0)
		return proc_error(errno);
	static constexpr std::string_view key = "\nTgid:\t";
	std::string_view status(text, static_cast<std::size_t>(size));
	const auto at = status.find(key);
	if (at == status.npos || !number(status.substr(at + key.size()), tgid))
		return ESRCH;
	return 0;
}

// -1 and errno.
int
open_directory(const char *format, pid_t pid, pid_t tid) noexcept
{
	char path[64];
	std::snprintf(path, sizeof path, format, pid, tid);
	return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

} // namespace

int
read_stat(int dir, const char *path, thread_stat &out) noexcept
{
	const uncancelled guard;
	char text[512];		// field 22 ends before 500
	const ssize_t size = read_proc(dir, path, text, sizeof text);
	if (size < 0)
		return proc_error(errno);
	return parse_stat({text, static_cast<std::size_t>(size)}, out) ? 0 :
	    ESRCH;
}

// Not /proc/TID: its stat adds up what all threads of the process have used,
// which takes 0.4 ms if there are 5000.
int
look_up_thread(pid_t tid, pid_t &pid, thread_stat &stat) noexcept
{
	const unique_fd dir(open_directory("/proc/%d/task/%d", tid, tid));
	if (!dir)
		return proc_error(errno);
	thread_stat seen{};
	pid_t tgid;
	int error = read_stat(dir.get(), "stat", seen);
	if (error == 0)
		error = read_tgid(dir.get(), tgid);
	if (error != 0)
		return error;
	pid = tgid;
	stat = seen;
	return 0;
}

int
look_up_thread_of(pid_t pid, pid_t tid, thread_stat &stat) noexcept
{
	char path[64];
	std::snprintf(path, sizeof path, "/proc/%d/task/%d/stat", pid, tid);
	return read_stat(AT_FDCWD, path, stat);
}

int
look_up_process(pid_t pid, thread_stat &stat) noexcept
{
	char path[32];
	std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
	return read_stat(AT_FDCWD, path, stat);
}

int
look_up_caller(thread_stat &stat) noexcept
{
	return read_stat(AT_FDCWD, "/proc/thread-self/stat", stat);
}

int
look_up_callers_process(thread_stat &stat) noexcept
{
	return read_stat(AT_FDCWD, "/proc/self/stat", stat);
}

bool
read_wait_channel(pid_t pid, pid_t tid, char (&name)[32]) noexcept
{
	char path[64];
	std::snprintf(path, sizeof path, "/proc/%d/task/%d/wchan", pid, tid);
	const ssize_t len = read_proc(AT_FDCWD, path, name, sizeof name - 1);
	name[len > 0 ? len : 0] = '\0';
	return len > 0 && name[0] != '0';
}

int
process_threads::open(pid_t pid, thread_stat &first) noexcept
{
	const unique_fd process(open_directory("/proc/%d", pid, 0));
	unique_fd tasks(openat(process.get(), "task",
	    O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	if (!tasks)
		return proc_error(errno);
	tasks_ = std::move(tasks);
	return read_stat(process.get(), "stat", first);
}

int
process_threads::look_up(pid_t tid, thread_stat &stat) const noexcept
{
	char path[32];
	std::snprintf(path, sizeof path, "%d/stat", tid);
	return read_stat(tasks_.get(), path, stat);
}

} // namespace stack9
