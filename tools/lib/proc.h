// Reads from /proc the facts that everybody may read: which threads exist, and
// the name and state of a thread that gave no stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "tools/model/stack.h"

namespace tools {

// Gives the first 4 KiB of a file without the blanks at their end, or "" if it
// cannot be read.
std::string read_file(const std::string &path);

// Lists the names in a directory that are numbers: the processes in /proc, the
// threads in /proc/PID/task.
std::vector<pid_t> numbers_in(const std::string &directory);

// The facts of /proc/PID/stat.
struct stat_facts {
	std::string	comm;		// with any bytes
	char		state = '?';
	pid_t		parent = 0;
	int		threads = 0;	// of its process
	int		cpu = -1;	// where the thread runs or last ran
};

// Reads the stat file of a thread, or of a process if tid is 0.  False: it is
// gone.
bool read_stat(pid_t pid, pid_t tid, stat_facts &);

// Adds to processes those that they have started, and those that these have
// started in turn.  Children come after their parents.
std::vector<pid_t> with_children(std::vector<pid_t>);

// Adds the threads of a process, or of all if pid is 0.  Returns 0 or an errno;
// ESRCH: there is no such process.
int threads_of(pid_t pid, std::vector<pid_t> &);

// Fills in the name, the state and the CPU of a thread that was not captured.
void introduce(sample &);

// Gives the function that a sleeping thread waits in, or "" if it does not
// sleep or /proc does not say.
std::string wchan(pid_t tid);

} // namespace tools
