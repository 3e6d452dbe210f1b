// Holds the options that choose threads by their process, name, state, cgroup,
// unit or container, and describes them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace tools {

class command_line;

struct thread_filter {
	std::vector<pid_t>	pids;		// of -p; empty: any
	bool			children = false;
	std::string		comm, states;	// empty: any
	std::string		cgroup, unit, container;

	bool
	any_filter() const
	{
		return !comm.empty() || !states.empty() || !cgroup.empty() ||
		    !unit.empty() || !container.empty();
	}
	// The kernel keeps the first bytes of a name, and only these are
	// compared.
	bool	wants(const std::string &name, char state) const;
	// Filters processes by what a record has of them.
	bool	wants(pid_t, const std::string &cgroup) const;
	// The filters as on the command line: "--comm nginx and --state D".
	std::string	text() const;
};

// -p, --children; and the others.
void describe_processes(command_line &, thread_filter &);
void describe_filters(command_line &, thread_filter &);

// Checks the text of a value: a decimal number from 1 on.  It returns "" or the
// error.
std::string decimal(const std::string &);
// The same of an id of a process; a name gets a word on pgrep(1).
std::string process_id(const std::string &);
// The same of another id; by_name comes before that word.
std::string id_error(const std::string &, const char *what,
    const std::string &by_name);

} // namespace tools
