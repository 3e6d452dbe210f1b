// Keeps what processes have mapped, and when, while a watch goes on.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace stack9::events {

// An executable mapping that a process has made.
struct made_mapping {
	pid_t			pid;
	std::uint64_t		when_ns;
	std::uint64_t		start, end;
	bool			is_of_file;	// and not a JIT's own memory
	std::string		line;		// as /proc/PID/maps has it
};

class mapping_history {
public:
	// These are reported in the order of their times.  They throw
	// std::bad_alloc, and leave the process as it was or unknown.
	void add(made_mapping &&);
	void executes(pid_t pid, std::uint64_t when_ns);
	void begins(pid_t pid, pid_t parent);
	void ends(pid_t pid);
	// Something was lost: to have no names is better than to have wrong
	// ones.
	void forget_all(std::uint64_t when_ns) noexcept;
	// True if something was lost, and the process should be learned again.
	bool is_lost(pid_t pid) const;

	// Takes what a process has mapped now, as /proc/PID/maps has it.
	// start: when the process began, field 22 of its stat.  when: after the
	// maps were read; 0: before the watch.
	void learn(pid_t pid, std::uint64_t start, std::string_view maps,
	    std::uint64_t when_ns = 0);

	// The executable mappings that /proc/PID/maps had at that time; "": not
	// known.  Between a loss and the next learn(): those that it had before
	// and has after.  pid: in the caller's pid namespace; when:
	// CLOCK_BOOTTIME.
	std::string text_of(pid_t pid, std::uint64_t start,
	    std::uint64_t when_ns) const;
	// True if these are all that it had, or all that are known of a time
	// between a loss and the next learn().
	bool has_all(pid_t pid, std::uint64_t when_ns) const;
	// True if it has run another program since.
	bool changed_since(pid_t pid, std::uint64_t when_ns) const;
	// When the process has last mapped code of a file, as far as is known;
	// 0: not during the watch.
	std::uint64_t code_ns(pid_t pid) const;
	// The same at an earlier time.
	std::uint64_t code_ns(pid_t pid, std::uint64_t when_ns) const;
	// The process whose memory it had as it began; 0: not known.
	pid_t parent_of(pid_t pid) const;

private:
	// By their start addresses.
	using lines = std::map<std::uint64_t, std::string>;
	// A mapping, and what was in its place.
	struct change {
		std::uint64_t		 when, address;
		bool			 is_code;
		std::vector<std::pair<std::uint64_t, std::string>> before;
	};
	struct one_process {
		lines			 now;
		std::deque<change>	 changes;	// the oldest first
		std::uint64_t		 known_from = 0;	// by changes
		bool			 is_whole = false;	// now has all
		lines			 before;	// the last execve(2)
		lines			 before_loss;	// until known_from
		// Where one file has taken the place of another.
		std::set<std::uint64_t>	 swapped;
		std::uint64_t		 exec_ns = 0;	// of that execve(2)
		std::uint64_t		 code_ns = 0;
		std::uint64_t		 start = 0;	// 0: while it is logged
		pid_t			 parent = 0;
		bool			 ended = false;
	};

	static bool is_in_gap(const one_process &, std::uint64_t when_ns);
	static lines lines_at(const one_process &, std::uint64_t when_ns);
	static void put_line(one_process &, change &&, std::uint64_t end,
	    std::string line);
	void	forget_oldest();

	std::unordered_map<pid_t, one_process> by_pid_;
	std::deque<pid_t>	ended_;
	std::uint64_t		lost_ns_ = 0;	// the last loss of records
};

} // namespace stack9::events
