// Holds the options of the command line, and declares what main() does by them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/lib/thread_filter.h"
#include "tools/lib/time_text.h"

namespace stackreport {

using tools::interval;

struct options : tools::thread_filter {
	std::vector<std::string> records;	// files and directories
	interval	when;
	std::optional<interval> before;		// of --baseline
	std::vector<pid_t> tids;
	std::string	stack;			// a regular expression; ""
	std::string	wait;			// its kind or system call; ""
	std::string	event;			// "": samples of threads
	bool		on_cpu = false, off_cpu = false;
	bool		only_kernel = false;
	bool		only_user = false;	// both: same as neither
	bool		raw_names = false;
	bool		history = false, longest = false, segments = false;
	bool		heat = false;
	std::uint64_t	top = 0;		// 0: the usual number
	std::string	format, file;
	std::string	to;			// a server's URL; "": none
	std::string	rows;			// of "samples", "stacks"; ""
	std::string	schema;			// "clickhouse"; "": none
	std::string	crash;			// a file; "": none
	std::vector<std::string> debug_dirs;	// before /usr/lib/debug
	std::string	line;			// the command line

	bool wants_kernel() const { return only_kernel || !only_user; }
	bool
	chooses_samples() const
	{
		return only_kernel || only_user || on_cpu || off_cpu ||
		    !text().empty() || !tids.empty() || !stack.empty() ||
		    !wait.empty() || !event.empty();
	}
	bool wants_user() const { return only_user || !only_kernel; }
};

// Returns an exit status if nothing is left to do.
std::optional<int> parse(int argc, char **argv, options &);

// Answers the question.  Returns the exit status.
int run(const options &);

// These hand records to databases, for --to, --rows and --schema.  They
// return the exit status.
int load(const options &);
int print_rows(const options &);
int print_schema(const options &);

// Names the report of a crash, or a text of stacks.  Returns the exit status.
int name_crash(const options &);

} // namespace stackreport
