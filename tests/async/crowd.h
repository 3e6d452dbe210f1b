// Declares a process whose threads sleep and run at random, end, and are
// replaced.  No two have a function of their chains in common.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <unordered_map>

#include "core/seam/record.h"
#include "async.h"

class crowd {
public:
	static constexpr int threads = 8;
	struct page {
		std::atomic<bool>		ends;
		std::atomic<std::uint32_t>	napping;	// a word
		std::atomic<std::uint32_t>	lives;		// begun
		std::atomic<std::uint32_t>	left;		// threads
		std::atomic<pid_t>		tid[threads];
	};

	crowd();

	pid_t pid() const { return child_.pid(); }
	// The one that has this number now, or had it just now.
	pid_t tid(int number) const { return page_->tid[number]; }
	std::uint32_t lives() const { return page_->lives; }
	// Wakes all, and waits until none of them is left.
	void end();

private:
	shared<page>	page_;
	child		child_;
};

// Reads their stacks.
class crowd_reader {
public:
	explicit crowd_reader(stack9_space *in) : in_(in) {}

	// "": complete, and a stack of one of them; whose, or -1 where it is
	// about to begin or to end.
	std::string fault(const stack9::stack_record &user, int &whose);

private:
	struct place {
		int	whose;	// -1: a function of none of them
		int	link;	// of its chain; 0: its root
	};
	const place &at(std::uintptr_t pc, bool exact);
	bool in_clone(const stack9::stack_record &user) const;
	std::string told(const stack9::stack_record &user) const;

	stack9_space				*in_;
	std::unordered_map<std::uintptr_t, place>	seen_[2];
};
