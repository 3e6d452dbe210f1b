// Keeps the files and names of descriptors that threads wait for.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <string>
#include <utility>

#include <sys/types.h>

#include "open_files.h"

namespace stack9::waits {

struct descriptor {
	bool		known;		// it can be read
	file_id		file;
	std::string	name;		// as /proc has it
};

class descriptors_of {
public:
	// Many threads of a process wait for the same one.  The answer is lent
	// until the next call.
	const descriptor &of(pid_t pid, pid_t tid, int fd);

private:
	bool	has_files_of(pid_t pid, pid_t tid);

	pid_t		asked_ = 0;	// the last thread that was asked
	bool		shares_ = false;	// for, and the answer
	std::map<std::pair<pid_t, int>, descriptor> known_;
	descriptor	last_{};
};

} // namespace stack9::waits
