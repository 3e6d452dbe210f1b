// Compares what was told of a random program with what its threads noted.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ledger.h"

namespace soak {

struct told_holder {
	pid_t	tid, pid;
};

// A wait, as the library or a program told it.
struct told_wait {
	pid_t		tid = 0, pid = 0;
	std::string	kind;		// stack9_wait_text()'s
	std::uint64_t	address = 0;
	std::string	object, reason;
	bool		moved = false;
	std::vector<told_holder> holders;
};

// A user stack.
struct told_stack {
	pid_t		tid = 0;
	bool		complete = false;
	std::vector<std::uint64_t> pcs;
};

// From before the first capture to after the last answer.
struct span {
	std::uint64_t	begin, end;
};

// Counts over all programs.
class tally {
public:
	void	count(const std::string &what) { counts_[what]++; }
	long	of(const std::string &what) const;
	void	fault(const std::string &what);
	// Keeps the first of what was true and was not told.
	void	note(const std::string &missed);
	long	faults() const { return faults_; }
	std::string	text() const;

private:
	std::map<std::string, long> counts_;
	std::vector<std::string> first_, missed_;
	long	faults_ = 0;
};

class judge {
public:
	judge(ledger &l, tally &t, std::string way)
	    : l_(l), t_(t), way_(std::move(way)) {}

	void	of_wait(const told_wait &, span);
	void	of_stack(const told_stack &, span);
	// The lock at this address in this process; the thread is said to have
	// held it.
	void	of_holder(std::uint64_t address, pid_t pid, pid_t holder, span);
	// The threads of a circle; is it called a deadlock?
	void	of_circle(std::vector<pid_t>, bool deadlock, span);
	// After all of one look: was a deadlock told that was there all along?
	void	of_circles_told(bool any, span);

private:
	int		actor_of(pid_t tid) const;
	bool		had(const wait &, const told_holder &, span) const;
	bool		owned(int object, const told_holder &, span) const;
	bool		is_child(pid_t pid, pid_t parent) const;
	bool		is_true(int who, const told_wait &, const told_holder &,
			    span) const;
	bool		is_for(const wait &, const told_wait &) const;
	bool		is_process(pid_t) const;
	const wait	*lasting(int who, span) const;
	std::int32_t	lasting_owner(const wait &, span) const;
	void		check_kind(int who, const told_wait &, span);
	void		check_found(int who, const told_wait &, span);
	bool		is_stuck(span) const;
	void		fault(const std::string &, span);

	ledger		&l_;
	tally		&t_;
	std::string	 way_;
};

} // namespace soak
