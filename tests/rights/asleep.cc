// Asks /proc whether a process sleeps, by its directory's descriptor, for there
// may be no such name.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "asleep.h"

#include <string>

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

namespace {

// Gives no text if the file may not be read.
std::string
start_of(int proc, const std::string &path)
{
	const int fd = openat(proc, path.c_str(), O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return {};
	char text[1024];
	const ssize_t n = read(fd, text, sizeof text);
	close(fd);
	return n > 0 ? std::string(text, static_cast<std::size_t>(n)) : "";
}

} // namespace

void
wait_until_asleep(int proc, pid_t pid)
{
	const std::string name = std::to_string(pid);
	for (;;) {
		const std::string stat = start_of(proc, name + "/stat");
		const auto paren = stat.rfind(") ");
		if (paren == stat.npos)
			return;		// it has ended
		// A sleeper that has not left its CPU yet is said to run, to
		// those who may read that.  One that is dead never sleeps.
		const char state = stat[paren + 2];
		if (state == 'Z' || (state == 'S' && !start_of(proc, name +
		    "/syscall").starts_with("running")))
			return;
		sched_yield();
	}
}
