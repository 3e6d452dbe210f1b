// Defines the jobs of the library, the verdict of a route, and the values that
// pass between the core and a route.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "record.h"

#include "unwind/frame.h"
#include "user_copy.h"

namespace stack9 {

// The core tries the routes of a job in their order until one can do it.
enum class job : std::uint8_t {
	self,		// the calling thread's user stack; async-signal-safe
	sibling,	// user stack of another thread of this process
	kernel,		// a thread's kernel stack
	running,	// the same, after kernel said ON_CPU
	each,		// kernel stacks of all threads of a process or machine
	name,		// the kernel's own name for a kernel address
	user,		// the user side of a thread of another process
	user_running,	// the same, after user said ON_CPU
	user_each,	// user sides of all threads of a process or machine
	wait,		// what threads wait for
	async,		// asynchronous captures
	events,		// stacks that lead to events
	end,		// not a job; it counts them
};
inline constexpr std::size_t job_count = static_cast<std::size_t>(job::end);

// error is 0: the route can do its job.  EOPNOTSUPP: not on this machine.
// EPERM: with more privilege.  ENOMEM, EMFILE and the like: not at the moment;
// the route will be asked again.
struct verdict {
	int		 error;
	const char	*reason;	// a sentence in static storage
};

// The frame that called the library, where a walk of the calling thread's own
// stack begins.  If pc is 0, the walk begins with the innermost frame.  If sp
// is 0, only pc is known.
struct origin {
	std::uintptr_t	 pc = 0;	// a return address
	std::uintptr_t	 sp = 0;	// after the return
	std::uintptr_t	 fp = 0;	// the frame pointer register then
};

// The origin of the function that uses this macro.
#define	STACK9_ORIGIN() (::stack9::origin{				\
	reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)),	\
	reinterpret_cast<std::uintptr_t>(__builtin_dwarf_cfa()),	\
	STACK9_CALLERS_FP()})

// Says which CPU a thread runs on, and who it is inside the kernel.  A route of
// job::kernel fills it for job::running, a route of job::user for
// job::user_running.
struct lead {
	std::int32_t	 cpu = -1;	// -1: the route does not see CPUs
	std::int32_t	 host_tid = 0;	// in the init pid namespace
	std::uint64_t	 start_ns = 0;	// task_struct.start_boottime
};

// A sink returns 0 to go on; any other value ends the pass.
using sink = int (*)(void *arg, stack_record &) noexcept;

// One thread at one moment, by a route for user stacks.  Both records come
// with side, pcs, max and the rest as for save().
struct sides {
	// The kernel stack of the same moment, with an error of its own; NULL
	// if it is not wanted.  See copying_route::both_sides().
	stack_record	*kernel;
	// The route fills error, why, reason and what is known of the thread.
	// depth stays 0, because the copy is unwound afterwards.
	stack_record	&user;
	user_copy	&copy;
};
using sides_sink = int (*)(void *arg, sides &) noexcept;

} // namespace stack9
