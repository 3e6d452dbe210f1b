// What processes map while a watch goes on: so that one that has ended before
// it could be looked at has names all the same.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <bpf/libbpf.h>
#include "bpf/object.h"
#include <sys/types.h>

namespace stack9::events {

class mapping_log {
public:
	// False: not here, or not with these rights.
	bool open() noexcept;

	// What has been written since.  Cheap where that is nothing.
	void read();

	// As /proc/PID/maps had its executable mappings then; "": not known.
	// pid: as the caller's pid namespace has it; when: CLOCK_BOOTTIME.
	std::string text_of(pid_t pid, std::uint64_t when_ns) const;
	// It has run another program since.
	bool changed_since(pid_t pid, std::uint64_t when_ns) const;
	// Whose memory it had as it began; 0: not known.
	pid_t parent_of(pid_t pid) const;

	// In a child, which must not end what is its parent's.
	void forsake() noexcept { buffer_.release(); }

private:
	struct record {
		std::uint64_t		when = 0;
		std::vector<char>	bytes;
	};
	// By their start.
	using lines = std::map<std::uint64_t, std::string>;
	struct mapped {
		lines			 now;
		lines			 before;	// the last execve(2)
		std::uint64_t		 exec_ns = 0;	// when that was
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
	void	on_mmap(const char *body);
	void	on_task(const char *body, bool begins);
	void	forget_oldest();

	unique_fd	map_;
	std::unique_ptr<perf_buffer, buffer_closer> buffer_;
	std::vector<record>	fresh_;
	std::unordered_map<pid_t, mapped> by_pid_;
	std::deque<pid_t>	ended_;
};

} // namespace stack9::events
