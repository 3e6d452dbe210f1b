// Holds what a segment is made of: the tables of modules, frames, stacks,
// processes and threads, and ticks.  Entries of a table are numbered from 1 in
// the order in which they came; 0 is none.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>

namespace recording {

// Version 2 added the language, file and line of frames.  Records of all
// versions up to this one are read.
inline constexpr std::uint32_t format_version = 2;

struct segment_info {
	std::uint32_t	version = format_version;
	std::string	host, machine, release;	// names; machine: its CPU
	std::string	machine_id, boot_id;
	std::string	kernel_build_id;	// bytes
	std::uint64_t	boot_ns = 0;		// CLOCK_BOOTTIME
	std::int64_t	wall_minus_boot = 0;	// CLOCK_REALTIME then, less it
	std::uint64_t	period_ns = 0;
	std::uint32_t	sides = 3;		// of enum stack9_side
	std::string	filter;			// whose threads; "": all
	std::uint32_t	missed = 0;		// ticks that were not stored
						// before this segment
};

struct module {
	std::string	path;		// or the kernel's module; "vmlinux"
	std::string	build_id;	// bytes
	bool		kernel = false, deleted = false;
	bool operator==(const module &) const = default;
};

enum class frame_kind : std::uint8_t {
	kernel = 1,
	file = 2,	// place is its address in the ELF image of module
	memory = 3,	// not of an ELF file; place is its address
	language = 4,	// of an interpreter: name, file and line
};

struct frame {
	frame_kind	kind = frame_kind::kernel;
	bool		exact = false;	// no return address
	std::uint32_t	module = 0;
	std::uint64_t	place = 0;	// kernel: its address
	std::string	name;		// in the symbol table; "" none
	std::string	readable;	// "": as name
	std::uint64_t	offset = 0;	// from the function's start
	std::string	language{};	// "python"; of kind language alone, as
	std::string	file{};		// the file of source
	std::uint32_t	line = 0;	// and its line; 0: not known
	bool		guessed = false;	// it may be of another moment
};

using identity = std::array<std::uint8_t, 16>;

struct stack {
	std::uint32_t	side = 0;	// of enum stack9_side
	identity	id{};
	std::vector<std::uint32_t> frames;	// the innermost first
	std::int32_t	error = 0, why = 0;
	std::uint32_t	flags = 0, dropped = 0;
	std::string	reason, route;
	std::string	note{};		// why functions of languages lack
};

struct process {
	pid_t		pid = 0;
	std::string	cgroup;		// its path in cgroup v2
};

struct thread {
	pid_t		tid = 0;
	std::uint32_t	process = 0;
	std::uint64_t	start = 0;	// as struct stack9_thread has it
	std::string	comm;
	std::string	name{};		// that a language's runtime has for it
};

// The address in a process at which vaddr 0 of a module is.
struct base {
	std::uint32_t	process = 0, module = 0;
	std::uint64_t	address = 0;
};

struct name_change {
	std::uint32_t	thread = 0;
	std::string	comm;
	std::string	name{};
};

// The wait of a thread, in words of stack9_waits(3).
struct wait {
	std::string	kind;		// as stack9_wait_text() has it
	std::uint32_t	flags = 0;	// STACK9_WAIT_...
	std::string	call;		// the system call; "" none
	std::string	object;		// the file, socket or descriptors; ""
	std::string	place;		// the variable or mapping; ""
	pid_t		holder = 0;	// the first one's tid; 0: unknown
	bool operator==(const wait &) const = default;
};

struct thread_state {
	char		state = '?';
	std::int32_t	cpu = -1;
	std::uint32_t	kernel = 0, user = 0;	// stacks
	std::uint64_t	switches = 0;		// 0: unknown
	std::uint64_t	since_ns = 0;		// CLOCK_BOOTTIME; it has not
						// run since
	std::uint32_t	wait = 0;		// 0: not known
};

struct change {
	std::uint32_t	thread = 0;
	thread_state	now;
};

// An event that is watched, as stack9_watch_events() names it.
struct event {
	std::string	name;
	bool		takes_time = false;	// its weight is nanoseconds
};

// How often an event happened to a thread with these stacks, since the tick
// before.  The thread need not have been there at any tick.
struct event_count {
	std::uint32_t	event = 0, thread = 0;
	std::uint32_t	kernel = 0, user = 0;	// stacks
	std::uint64_t	events = 0, ns = 0;
};

// A moment: what is new in the tables, and the threads that have run or ended
// since the tick before.  The first tick of a segment has all threads.
struct tick {
	std::vector<module>	modules;
	std::vector<frame>	frames;
	std::vector<stack>	stacks;
	std::vector<process>	processes;
	std::vector<thread>	threads;
	std::vector<base>	bases;
	std::vector<name_change> names;
	std::vector<wait>	waits;
	std::vector<event>	events;

	std::uint64_t	boot_ns = 0;
	std::int64_t	wall_minus_boot = 0;
	std::uint64_t	cost_ns = 0;	// of CPU time, for the tick before
	std::vector<std::uint32_t> gone;	// threads, ascending
	std::vector<change>	changes;	// by thread, ascending
	std::vector<event_count> counts;
	std::uint64_t	lost = 0;	// events, since the tick before
};

// Gives the note that takes the place of missing frames, or "".
std::string note_of(const stack &);

} // namespace recording
