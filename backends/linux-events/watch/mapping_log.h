// Logs what processes map while a watch goes on.  So a process that has ended
// before its maps could be read has names all the same.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <bpf/libbpf.h>
#include <sys/types.h>

#include "bpf/object.h"
#include "time_order.h"

namespace stack9::events {

class mapping_log {
public:
	// False: the kernel does not have it, or the rights are missing.
	bool open() noexcept;

	// Reads the records since the last call.  Cheap if there are none.
	void read();

	// Takes what a process has mapped now, as /proc/PID/maps has it.
	// start: when the process began, field 22 of its stat.
	void learn(pid_t pid, std::uint64_t start, std::string_view maps);

	// The executable mappings that /proc/PID/maps had at that time; "": not
	// known.  pid: in the caller's pid namespace; when: CLOCK_BOOTTIME.
	std::string text_of(pid_t pid, std::uint64_t start,
	    std::uint64_t when_ns) const;
	// Whether these are all that it had.
	bool has_all(pid_t pid, std::uint64_t when_ns) const;
	// Whether it has run another program since.
	bool changed_since(pid_t pid, std::uint64_t when_ns) const;
	// When the process has last mapped code of a file, as far as is known;
	// 0: not during the watch.
	std::uint64_t code_ns(pid_t pid) const;
	// The same at an earlier time.
	std::uint64_t code_ns(pid_t pid, std::uint64_t when_ns) const;
	// The process whose memory it had as it began; 0: not known.
	pid_t parent_of(pid_t pid) const;

	// For a child, which must not end what is its parent's.
	void abandon() noexcept { buffer_.release(); }

private:
	struct record {
		std::uint64_t		when = 0;
		std::vector<char>	bytes;
	};
	// By their start addresses.
	using lines = std::map<std::uint64_t, std::string>;
	// A mapping, and what was in its place.
	struct change {
		std::uint64_t		 when, address;
		bool			 is_code;
		std::vector<std::pair<std::uint64_t, std::string>> before;
	};
	struct mapped {
		lines			 now;
		std::deque<change>	 changes;	// the oldest first
		std::uint64_t		 known_from = 0;	// by changes
		bool			 is_whole = false;	// now has all
		lines			 before;	// the last execve(2)
		std::uint64_t		 exec_ns = 0;	// of that execve(2)
		std::uint64_t		 code_ns = 0;
		std::uint64_t		 start = 0;	// 0: while it is logged
		pid_t			 parent = 0;
		bool			 ended = false;
	};
	struct buffer_closer {
		void operator()(perf_buffer *b) const noexcept
		    { perf_buffer__free(b); }
	};

	static bpf_perf_event_ret	keep(void *arg, int cpu,
					    perf_event_header *);
	void	apply(const record &);
	void	on_exec(const record &);
	void	on_mmap(const record &);
	static void put_line(mapped &, change &&, std::uint64_t end,
		    std::string line);
	void	on_task(const char *body, bool begins);
	void	forget_oldest();
	void	forget_all(std::uint64_t when_ns) noexcept;

	unique_fd	map_;
	std::unique_ptr<perf_buffer, buffer_closer> buffer_;
	time_order<record>	fresh_;
	std::unordered_map<pid_t, mapped> by_pid_;
	std::deque<pid_t>	ended_;
	std::uint64_t		lost_ns_ = 0;	// the last loss of records
	// The last record for which there was no memory; 0: none.
	std::uint64_t		unkept_ns_ = 0;
};

} // namespace stack9::events
