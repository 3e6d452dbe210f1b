// Compares what was reported of a random program with what its threads noted.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ledger.h"
#include "told.h"
#include "truths.h"

namespace soak {

// Counts over all programs.
class tally {
public:
	void	count(const std::string &what) { counts_[what]++; }
	long	of(const std::string &what) const;
	void	fault(const std::string &what);
	// Keeps the first of what was true and was not reported.
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

	void	of_wait(const said_wait &, span);
	void	of_stack(const reported_stack &, span);
	// The lock at this address in this process; the thread is said to have
	// held it.
	void	of_holder(std::uint64_t address, pid_t pid, pid_t holder, span);
	// The threads of a circle; is it called a deadlock?
	void	of_circle(std::vector<pid_t>, bool deadlock, span);
	// After all of one pass: was a deadlock reported that was there all
	// along?
	void	of_circles_reported(bool any, span);

private:
	bool		is_so(truth, const char *what);
	void		check_kind(int who, const said_wait &, span);
	void		check_found(int who, const said_wait &, span);
	bool		is_stuck(span) const;
	void		fault(const std::string &, span);

	ledger		&l_;
	const truths	 known_{l_};
	tally		&t_;
	std::string	 way_;
};

} // namespace soak
