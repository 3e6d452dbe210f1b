// Declares the moments of a pass: since when its threads have slept.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <chrono>
#include <cstdint>
#include <unordered_map>

#include <stack9_waits.h>

namespace stack9 {

// Many threads of a process lead to the same memory: code objects, tables and
// names.  If a thread has not run since a moment, memory that was read after it
// is of the thread's moment, too.  So it is read once for all such threads.
//
// A thread has not run since if it had as many switches then as when it was
// captured; the caller compares them once more after all has been read.
class pass_moments {
public:
	// Gives the number of a moment at which the thread slept already, with
	// these switches; 0: it is of none.  No two moments have one number.
	// The first threads of a process have none, because a moment costs the
	// reading of all their states.
	std::uint64_t since(const stack9_thread &, std::uint64_t switches)
	    noexcept;

private:
	struct sleeper {
		std::uint64_t	start, switches;
	};

	using sleepers = std::unordered_map<pid_t, sleeper>;

	static int add(void *to, const stack9_state *) noexcept;
	void begin(pid_t) noexcept;

	pid_t		pid_ = 0;
	unsigned int	threads_ = 0;	// of it that have come
	std::uint64_t	moment_ = 0;	// 0: none yet
	std::chrono::steady_clock::time_point until_{};	// it is old then
	sleepers	asleep_;	// at the moment
};

} // namespace stack9
