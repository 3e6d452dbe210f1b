// Holds the options of the command line, and declares what main() does by them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include <stack9.h>

#include "ours.h"
#include "tools/lib/names.h"
#include "tools/lib/thread_filter.h"

namespace stackprint {

inline constexpr unsigned int default_depth = 1024;
inline constexpr unsigned int deepest = 65536;
inline constexpr double usual_wait = 1, longest_wait = 86400;	// seconds
inline constexpr double shortest_look = 0.01;

struct options : name_options, thread_filter {
	std::vector<pid_t>	tids;
	bool			all = false;
	bool			only_kernel = false;
	bool			only_user = false;	// both: same as neither
	unsigned int		depth = default_depth;
	bool			json = false;
	bool			group = false, no_group = false;
	bool			no_goroutines = false;
	bool			native = false;	// no functions of languages
	bool			few_ids = false;	// of a group
	bool			advise_on_files = false;
	bool			procstat = false;
	bool			stop = false;
	bool			waits = false, no_waits = false;
	bool			waits_unasked = false;	// waits is usual here
	bool			why = false;	// who waits for whom
	std::optional<double>	follow, stuck;	// seconds between passes
	bool			changes = false;
	bool			top = false;
	bool
	watches() const
	{
		return follow.has_value() || stuck.has_value() || top;
	}
	std::optional<double>	async;		// seconds to wait
	bool			now = false;
	bool			check = false;
	std::string		pin;		// empty: no --pin
	std::string		record;		// records; empty: now
	std::string		at;		// of --record; empty: its end
	std::vector<std::string> debug_dirs;	// of --record
	std::string		core;		// "-": of a pipe; empty: none
	std::string		sysroot;	// of --core
	std::string		dump;		// a file to write; "-"; ""
	pid_t			ended_by = 0;	// the thread of the core that
						// had its signal
	std::string		ended_as;	// "SIGSEGV"
	std::string		limits;	// empty: the usual ones
	std::string		again;		// the command line, for advice

	bool
	any_target() const
	{
		return !tids.empty() || !pids.empty() || all || any_filter() ||
		    !record.empty() || !core.empty();
	}
	// One process is looked at once: if a file of it ends the child that
	// reads files, another child would not be asked about it.
	bool
	asks_once() const
	{
		return tids.size() + pids.size() == 1 && !children && !all &&
		    !any_filter() && !watches() && !why && is_live() &&
		    dump.empty();
	}
	// Threads of records and cores do not live.
	bool is_live() const { return record.empty() && core.empty(); }
	// Goroutines are the process's, and have user stacks only.
	bool
	shows_coroutines() const
	{
		return !pids.empty() && !no_goroutines && !why &&
		    !any_filter() && sides() != STACK9_KERNEL;
	}
	stack9_side
	sides() const
	{
		return only_kernel == only_user ? STACK9_BOTH :
		    only_kernel ? STACK9_KERNEL : STACK9_USER;
	}
};

// Returns an exit status if nothing is left to do (help, version, usage).
std::optional<int> parse(int argc, char **argv, options &);

// Names options that contradict each other, or returns NULL.
const char *contradiction(const options &);

// Prints the stacks of the threads that were named.  Returns the exit status.
int run(const options &);

// Prints the stacks of a recorded moment.  Returns the exit status.
int print_recorded(const options &);

// Shows with --check what this machine allows.  The status is complete if every
// job has a route that works, and none if no job has.
int check();

// Prints the stacks of a core file.  Returns the exit status.
int print_core(options);

// Writes a small core of a process, or of --core.  Returns the exit status.
int write_dump(const options &);

// Gives the options as they are, or, if stdout is a terminal, with groups for a
// process of many threads, with few lines of thread ids, and with a word on
// files that lack names or were deleted.
options for_terminal(options);

} // namespace stackprint
