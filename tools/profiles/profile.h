// Holds stacks with weights, as the writers of profiles take them.  These are
// plain values and do not say where they come from.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include <sys/types.h>

#include "tools/model/frame.h"

namespace profiles {

// A frame is there once, however many stacks have it.
using tools::frame, tools::frame_kind;

struct stack {
	std::vector<std::uint32_t> frames;	// in profile::frames, the
						// outermost first
	std::string	comm;		// "": not by process
	pid_t		pid = 0;	// 0: likewise
	std::uint64_t	events = 0;
	std::uint64_t	weight = 0;	// in profile::unit
	std::uint64_t	before = 0;	// weight in the other profile
	pid_t		tid = 0;	// 0: of several threads
	std::string	cgroup{};	// its path; "" if not known
};

struct profile {
	std::string	event;		// as the user named it
	std::string	host;		// where it was; ""
	std::string	command;	// that made it; ""
	std::string	filter;		// whose events; "": all
	std::string	unit;		// "events", "samples", "microseconds"
	std::uint64_t	began_ns = 0;	// CLOCK_REALTIME
	std::uint64_t	took_ns = 0;
	std::uint64_t	period_ns = 0;	// of samples; 0: none
	bool		is_difference = false;	// of two: see difference.h
	std::string	note;		// the closing tally: for people
	std::string	id;		// 16 bytes that no other profile has;
					// "": none
	std::deque<frame>	frames;
	std::vector<stack>	stacks;
};

// Numbers the functions of a profile in the order of their names: a graph shows
// frames of one function as one, whatever their addresses.
struct distinct {
	std::vector<std::uint32_t> of;		// function of a frame
	std::vector<std::uint32_t> first;	// a frame of each
};

distinct distinct_frames(const profile &);

// Adds the process as the outermost frame.  Returns p itself if each stack that
// has a comm begins with a frame for it.  Otherwise fills and returns copy, in
// which they do.
const profile &with_processes(const profile &p, profile &copy);

} // namespace profiles
