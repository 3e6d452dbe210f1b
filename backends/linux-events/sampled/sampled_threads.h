// Knows of sampled threads what the kernel does not say with a sample: when
// they began, their names, and how often their process has run a new program.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <unordered_map>

#include <sys/types.h>

#include "backends/linux-events/programs/event_record.h"

namespace stack9::events {

class sampled_threads {
public:
	// Fills in the thread's part of a record.  Throws std::bad_alloc.
	void introduce(pid_t pid, pid_t tid, s9_event_head &, s9_space &);
	// A record of the kernel's about threads, in the order of time.
	void note(const char *record, std::size_t size);

private:
	struct facts {
		std::uint64_t	start_ns = 0;	// 0: it had ended
		char		comm[16] = "";
	};

	const facts &facts_of(pid_t pid, pid_t tid);

	std::unordered_map<pid_t, facts> all_;		// by tid
	std::unordered_map<pid_t, std::uint32_t> execs_;	// by pid
};

} // namespace stack9::events
