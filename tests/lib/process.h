// Starts and ends children of the tests, and waits for states of threads.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace lib {

// The state letter of /proc/TID/stat; 0: there is no such thread.
char state_of(pid_t tid);
// Waits until the thread is in that state and, except for R, has left its CPU's
// queue; that it gets there is given.
void wait_for_state(pid_t tid, char state);

// CLOCK_BOOTTIME, in nanoseconds.
std::uint64_t boot_ns();

struct pipe_ends {
	int	r, w;
};
// Both are closed by execve(2).
pipe_ends make_pipe();

// For execv(3); it ends as the words do.
std::vector<char *> pointers(const std::vector<std::string> &words);
// Called by a child: its signals do what they do by default, not what a test's
// handlers do, and it is killed when its parent ends.
void as_child();
// Called by a child: runs a program in its place, found as a shell finds it,
// with these as its standard descriptors; -1: the caller's.  before: runs in it
// first, and prevents the program where it returns false.
[[noreturn]] void become(const std::vector<std::string> &words, int in, int out,
    int err = -1, const std::function<bool()> &before = {});

// Kills and reaps the child, unless pid is not above 0, and sets pid to -1.
void kill_and_reap(pid_t &pid);

// The exit status of a status of wait(2), or 1000 and the signal.
int exit_of(int status);
// Runs body in a child; its exit status is what body returns.
int in_child(const std::function<int()> &body);

// A child that runs f and then sleeps until it is killed and reaped by the
// destructor.  The constructor returns after f has.
class child {
public:
	// as: the id that it shall have; 0: any.
	explicit child(const std::function<void()> &f = {}, pid_t as = 0);
	child(const child &) = delete;
	child &operator=(const child &) = delete;
	~child() { end(); }

	pid_t pid() const { return pid_; }
	void end() { kill_and_reap(pid_); }
	// It stays a zombie.
	void kill_only() const;

private:
	pid_t	pid_;
};

} // namespace lib
