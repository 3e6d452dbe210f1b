// Finds the processes that the options name, and says which of their threads
// are wanted.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include <sys/types.h>

#include "thread_filter.h"

namespace tools {

class selection {
public:
	// one_by_one: no pass over the machine is wanted.
	explicit selection(const thread_filter &f, bool one_by_one = false)
	    : filter_(f), one_by_one_(one_by_one) {}

	// Finds the processes.  Returns 0 or an errno, and then a sentence.
	int	find(std::string &why);

	// True if threads are wanted that a pass over the machine captures
	// sooner than a pass over each process.
	bool	is_machine() const;

	const std::vector<pid_t> &
	processes() const
	{
		return found_;
	}

	// Is the thread wanted, by its process, its name and its state?
	bool	wants(pid_t pid, const std::string &comm, char state) const;
	bool	wants(pid_t pid, pid_t tid) const;

private:
	bool	may_have_wanted(pid_t pid) const;

	const thread_filter	&filter_;
	const bool		 one_by_one_;
	std::vector<pid_t>	 found_;	// in order
	std::unordered_set<pid_t> is_found_;
};

} // namespace tools
