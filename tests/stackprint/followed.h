// Makes a process whose threads do as they are asked, and reads the output of a
// program while it runs.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <vector>

#include <sys/types.h>

// The thread that wakes notes when it did so last, and the longest time from
// one time to the next, in memory that is shared.
struct wakings {
	std::atomic<std::chrono::steady_clock::time_point>	last;
	std::atomic<std::chrono::steady_clock::duration>	longest;
};

// Its threads: the first one and `sleepers` of them sleep for good; one goes
// from read(2) to pause(2) when it is asked to; one, if it is wanted, wakes a
// thousand times a second.
class followed {
public:
	explicit followed(int sleepers, bool wakes = false);
	~followed();
	followed(const followed &) = delete;
	followed &operator=(const followed &) = delete;

	void	move() const;		// the thread that reads
	void	add() const;		// a further thread that sleeps
	void	remove() const;		// that thread ends
	void	kill_and_wait();

	// Does f.  It captures twice with that time between.  It is done again,
	// a few times, if a busy machine kept the thread that wakes off its CPU
	// for so long meanwhile.
	template <class F>
	void
	while_awake(std::chrono::milliseconds between, F f) const
	{
		int tries = 20;
		do {
			wakings_->longest.store({});
			f();
		} while (longest_sleep() >= between && --tries > 0);
	}

	pid_t	pid;
	pid_t	mover = 0, waker = 0;	// 0: there is none

private:
	void	tell(char what) const;
	std::chrono::steady_clock::duration	longest_sleep() const;

	int		 orders_ = -1;
	wakings		*wakings_;
};

class running_program {
public:
	explicit running_program(const std::vector<std::string> &command);
	~running_program();
	running_program(const running_program &) = delete;
	running_program &operator=(const running_program &) = delete;

	// Reads until the text has come after all that was waited for before,
	// and gives what was read since then.  "": it did not come.
	std::string	until(const std::string &text);
	void		interrupt() const;
	// The exit status, or 128 + signal.
	int		end();

private:
	pid_t		pid_ = 0;
	int		out_ = -1;
	std::string	read_;
};
