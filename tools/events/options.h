// Holds the options that both programs take.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include <stack9_watch.h>

namespace events {

inline constexpr std::uint32_t deepest = 1024;		// frames

struct options {
	const char	*program = "";
	std::string	line;			// the command line
	std::string	event;
	bool		list = false;		// what event matches
	std::string	event_option;		// of -e, in place of event
	std::uint64_t	frequency = 0;		// Hz; 0: as event says
	std::vector<std::string> command;	// empty: none

	// Whose events are watched, and for how long.
	std::vector<pid_t> pids;		// of -p; empty: all
	bool		children = false;	// theirs, too
	pid_t		pid = 0;		// the one that is watched; 0:
						// all, or several
	pid_t		tid = 0;		// 0: all
	std::string	comm, cgroup;		// empty: all
	std::string	unit, container;	// in place of cgroup
	std::optional<int> cpu;
	bool		regex = false;
	std::uint64_t	limit = 0;		// events; 0: none
	double		duration = 0;		// seconds; 0: until ended
	std::uint64_t	min_us = 0, max_us = 0;	// blocked; 0: no bound

	// Which stacks are captured, and how.
	bool		only_kernel = false;
	bool		only_user = false;	// both: same as neither
	bool		frame_pointers = false;
	bool		copy = false;
	bool		native = false;
	std::uint32_t	frames = 0;		// 0: the sysctl's
	std::size_t	ring = 0;		// 0: the library's
	std::size_t	rules = 0;		// likewise

	// How the events are printed.
	bool		delimiter = false;
	bool		offsets = false;
	bool		addresses = false;
	bool		raw_names = false;
	bool		inlines = false;
	bool		lines = false;
	bool		debuginfod = false;
	std::string	limits;		// empty: the usual ones
	bool		quiet = false;
	std::string	format;			// "": by the name of the file
	std::string	file;			// empty: stdout

	// Only stackcount has these.
	bool		by_process = false;
	bool		names_processes = false; // as flame graphs do
	std::optional<std::string> wakers;	// "", "only", "graph"
	std::uint32_t	stacks = 0;		// 0: the library's
	double		interval = 0;		// seconds; 0: at the end
	bool		cumulative = false;
	std::uint64_t	top = 0;		// 0: all
	std::string	diff;			// a file; then event is, too
	std::string	graph;			// empty: none
	std::string	to;			// a server's URL; empty: none

	stack9_side
	sides() const
	{
		return only_kernel == only_user ? STACK9_BOTH :
		    only_kernel ? STACK9_KERNEL : STACK9_USER;
	}
	bool
	is_offcpu() const
	{
		return event == "offcpu" || event == "off-cpu";
	}

	// Says whose events are watched: "pid 4711 (nginx), cpu 3", or "".
	std::string	filter() const;

	// The result points into this object.
	stack9_watch_options	of_watch(stack9_watch_mode) const;
};

} // namespace events
