// Forks a child that does what a test asks of it, and shares words with it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <functional>

#include <sys/types.h>

// Killed and reaped when it goes.  body runs in the child.
class child {
public:
	struct board {
		std::atomic<std::uint64_t>	word[64];
	};

	explicit child(const std::function<void(board &)> &body);
	child(const child &) = delete;
	~child();

	pid_t pid() const { return pid_; }
	std::atomic<std::uint64_t> &
	word(std::size_t i) const
	{
		return board_->word[i];
	}
	// Waits until the child has put something there.
	std::uint64_t told(std::size_t i) const;
	// Its exit status, or 1000 and the signal that ended it.
	int end();

private:
	board	*board_;
	pid_t	 pid_;
};
