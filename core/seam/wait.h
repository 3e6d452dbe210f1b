// Defines what a route of job::wait finds out about a thread that waits.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <span>

#include <stack9_waits.h>

namespace stack9 {

// A lock of the kernel's.
enum class kernel_lock : std::uint8_t {
	none, mutex, semaphore, read, write, rt_mutex
};

struct wait_facts {
	stack9_thread	 thread;	// wanted
	int		 error;		// 0, or why the rest is not known
	const char	*reason;	// a sentence about error, or NULL
	char		 state;		// as in /proc/TID/stat; '?'
	bool		 running;	// on a CPU, or it ran just now
	bool		 is_32_bit;	// numbers of system calls are others
	bool		 knows_call;	// call and args are known
	std::int64_t	 call;		// number of its system call; -1: none
	std::uint64_t	 args[6];
	std::uint64_t	 switches;	// of contexts, voluntary and not
	std::uint64_t	 idle_ns;	// since it ran last; 0: not known
	std::uint64_t	 began_ns;	// CLOCK_BOOTTIME: the wait began then,
					// or later; 0: not known
	std::uint64_t	 arrived_ns;	// CLOCK_BOOTTIME: it came onto its CPU
					// then; 0: not known, or not on one
	stack9_thread	 tracer;	// tid 0: none
	kernel_lock	 lock;
	std::uint64_t	 lock_at;
	bool		 lock_readers;	// readers hold it
	stack9_thread	 lock_holder;	// tid 0: not known
};

// Takes the state of a thread.  The state is lent.  A value other than 0 ends
// the pass.
using state_sink = int (*)(void *arg, const stack9_state &) noexcept;

inline bool
is_living(const wait_facts &f) noexcept
{
	return f.error == 0 && f.state != 'Z' && f.state != 'X';
}

// If two of these are of one thread and equal by this, the thread was in the
// same wait all the time.
inline bool
is_same_wait(const wait_facts &a, const wait_facts &b) noexcept
{
	if (a.error != 0 || b.error != 0 || a.running || b.running ||
	    a.switches != b.switches || a.switches == 0 || a.call != b.call ||
	    a.thread.start != b.thread.start || a.knows_call != b.knows_call)
		return false;
	for (int i = 0; i < 6; i++)
		if (a.args[i] != b.args[i])
			return false;
	return true;
}

} // namespace stack9
