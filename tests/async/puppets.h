// Declares a process whose threads sleep in read(2) and do what they are asked
// to.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>

#include "async.h"

class puppets {
public:
	// Each thread's, and the test's.
	struct strings {
		std::atomic<pid_t>		tid;
		std::atomic<std::uint32_t>	returned;	// from read(2)
		std::atomic<std::uint32_t>	done;		// deeds
		std::atomic<std::uint64_t>	word[4];
		int				input;
	};
	using deed = void (*)(strings &);
	static void nothing(strings &) {}
	// Until go_on().
	static void spin(strings &);
	static void call(strings &);	// getppid(2)
	static void wait(strings &);	// in futex(2); its errno + 1 in word[1]

	// None of them is the leader, who does nothing.
	explicit puppets(std::size_t threads = 1);
	puppets(const puppets &) = delete;
	~puppets();

	pid_t pid() const { return child_->pid(); }
	pid_t tid(std::size_t i = 0) const { return all_->of[i].tid; }
	std::atomic<std::uint64_t> &
	word(std::size_t w = 0, std::size_t i = 0)
	{
		return all_->of[i].word[w];
	}
	std::uint32_t
	returned(std::size_t i = 0) const
	{
		return all_->of[i].returned;
	}

	// Wakes it.
	void order(deed, std::size_t i = 0);
	// Waits until it sleeps in that deed; or has set word[1] there, and
	// runs.
	void sleep_in(deed, std::size_t i = 0);
	void run(deed, std::size_t i = 0);
	void go_on(std::size_t i = 0);
	// Waits until it has done all, and sleeps again.
	void settle(std::size_t i = 0) const;
	void
	wake(std::size_t i = 0)
	{
		order(nothing, i);
		settle(i);
	}
	// Killed and reaped.
	void end() { child_->end(); }

private:
	static constexpr std::size_t most = 16;
	struct page {
		strings	of[most];
	};

	shared<page>		 all_;
	int			 output_[most];
	std::uint32_t		 ordered_[most] = {};
	std::unique_ptr<child>	 child_;
};

// Waits until the word is not 0, and returns it.
std::uint64_t told(const std::atomic<std::uint64_t> &word);
