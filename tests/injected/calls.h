// Offers calls of the library, each from its beginning to its end: what is
// opened is closed.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <chrono>
#include <vector>

#include <sys/types.h>

struct call {
	const char	*name;
	// 0, or the errno; -1: a result that is wrong.
	int		(*run)(pid_t pid);
	// It remembers that it failed: no later call of this process works.
	bool		once = false;
	// A file that gave EIO is not read again while it is open: a disk takes
	// seconds to say it.  Stacks that end there say so.
	bool		keeps_unread = false;
};

extern const std::vector<call> calls;

int text_call(pid_t pid);

// Set by a call that returns EAGAIN as a thread was not held or not copied in
// time, after that time has passed.  On a busy machine a thread may have to
// wait for its CPU longer than a capture waits for it.
extern bool came_late;
inline constexpr std::chrono::milliseconds time_of_capture{300};
inline constexpr int tries_in_time = 100;

// A process whose goroutines are looked at; 0: Go's compiler is not here.
extern pid_t go_process;

// The number of threads of the process that they look at.
inline constexpr int threads_looked_at = 3;

// Calls that are in files of their own.
int waits(pid_t pid);
int states(pid_t pid);
int record(pid_t pid);
