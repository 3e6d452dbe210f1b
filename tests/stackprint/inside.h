// Runs a program under ptrace(2), and becomes each of its processes when that
// reads a file: looks at what the process holds, and tries what could be done
// with it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <set>
#include <string>
#include <vector>

#include <sys/types.h>

// A process that read the file, at its first read of more than a few bytes.
struct found_inside {
	pid_t		pid = 0;
	std::string	capabilities;	// permitted and effective, in hex
	std::string	seccomp;	// as /proc/PID/status has it
	std::string	users;		// its four user ids, likewise
	std::vector<std::string> descriptors;	// the target of each
	// Processes whose memory it has, to read only: "/proc/PID".
	std::set<std::string> memory;
	// System calls that succeeded and should not have, by name.
	std::vector<std::string> could;
};

struct reported_inside {
	int		status = -1;	// as said::status
	std::string	out;
	std::vector<found_inside> readers;
};

enum class fate {
	becomes_ours,
	crashes,	// it is killed, as if the file had crashed it
	hangs		// it is stopped, as if the file had no end
};

// marked: the file's path.  other: a process that is tried upon.  uid: to run
// the program as.
reported_inside run_inside(const std::vector<std::string> &command,
    const std::string &marked, pid_t other, uid_t uid,
    fate of_reader = fate::becomes_ours);
