// Reads /proc/TID/stat and status.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "task.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "os/proc_error.h"
#include "os/stat_line.h"
#include "os/unique_fd.h"

namespace stack9::procfs {
namespace {

// The number that follows "\nkey:" in a status file.
std::uint64_t
number_of(const char *status, const char *key) noexcept
{
	const char *at = std::strstr(status, key);
	return at == nullptr ? 0 :
	    std::strtoull(at + std::strlen(key), nullptr, 10);
}

} // namespace

int
read_file(pid_t tid, const char *name, char *buffer, std::size_t size,
    std::size_t &n) noexcept
{
	// Not /proc/TID/stat: it adds up the times of all threads.
	char path[64];
	std::snprintf(path, sizeof path, "/proc/%d/task/%d/%s", tid, tid,
	    name);
	const unique_fd f(open(path, O_RDONLY | O_CLOEXEC));
	if (!f)
		return proc_error(errno);
	n = 0;
	for (;;) {
		if (n + 1 >= size)
			return ENAMETOOLONG;
		const ssize_t got = read(f.get(), buffer + n, size - 1 - n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return errno == EACCES ? EPERM : errno;
		if (got == 0)
			break;
		n += static_cast<std::size_t>(got);
	}
	buffer[n] = '\0';
	return 0;
}

int
read_task(pid_t tid, task &t) noexcept
{
	char text[4096];
	std::size_t n = 0;
	if (const int error = read_file(tid, "stat", text, sizeof text, n);
	    error != 0)
		return error;
	thread_stat stat;
	if (!parse_stat({text, n}, stat))
		return ESRCH;
	copy_name(t.comm, stat.comm);
	t.state = stat.state;
	t.cpu = stat.cpu;
	t.start = stat.start;
	if (const int error = read_file(tid, "status", text, sizeof text, n);
	    error != 0)
		return error;
	t.pid = static_cast<pid_t>(number_of(text, "\nTgid:"));
	t.switches = number_of(text, "\nvoluntary_ctxt_switches:") +
	    number_of(text, "\nnonvoluntary_ctxt_switches:");
	return 0;
}

} // namespace stack9::procfs
