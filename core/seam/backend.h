// The seam to the backends: what a route does.  To add a backend copy
// backends/null/; its folder is found by itself.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>
#include <cstdint>
#include <span>
#include <string>

#include <stack9.h>
#include <stack9_watch.h>

#include "user_copy.h"

namespace stack9 {

// A job goes through its routes in order until one can do it.
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
	async,		// asynchronous captures
	events,		// stacks that lead to events
};
inline constexpr int job_count = 11;

// 0: can.  EOPNOTSUPP: not on this machine.  EPERM: with more privilege.
// ENOMEM, EMFILE...: not just now, will be asked again.
struct verdict {
	int		 error;
	const char	*reason;	// a sentence; static storage
};

// The frame that called the library, where a walk of the calling thread's own
// stack begins.  pc 0: with the first frame there is; sp 0: only pc is known.
struct origin {
	std::uintptr_t	 pc = 0;	// a return address
	std::uintptr_t	 sp = 0;	// once it has returned
	std::uintptr_t	 fp = 0;	// the frame pointer register then
};

// That of the function in which this stands.  Its frame has to have a frame
// pointer, which __builtin_frame_address() sees to.
#define	STACK9_ORIGIN() (::stack9::origin{				\
	reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)),	\
	reinterpret_cast<std::uintptr_t>(__builtin_dwarf_cfa()),	\
	*static_cast<std::uintptr_t *>(__builtin_frame_address(0))})

// What is known before a route starts.
struct lead {
	origin		 first;		// for job::self
	// For job::running, from job::kernel, and for job::user_running, from
	// job::user: the thread on a CPU in words that hold inside the kernel.
	std::int32_t	 cpu = -1;
	std::int32_t	 host_tid = 0;	// in the init pid namespace
	std::uint64_t	 start_ns = 0;	// task_struct.start_boottime
};

using sink = int (*)(void *arg, stack9_record &) noexcept;	// non-0: stop

// One thread at one moment, by a route for user stacks.  Both records come
// with side, pcs, max and the rest as for save().
struct sides {
	// Its kernel stack too, of the same moment, with an error of its own.
	// NULL: not wanted.  See route::both_sides().
	stack9_record	*kernel;
	// error, why, reason and what is known of the thread; depth stays 0,
	// for the copy is unwound afterwards.
	stack9_record	&user;
	user_copy	&copy;
};
using sides_sink = int (*)(void *arg, sides &) noexcept;	// non-0: stop

class async_queue;	// async.h
struct watch_request;	// watch.h

// One way of doing one job.  Routes are static and never destroyed: other
// threads may be capturing while the program exits.  Methods do not throw
// unless it is said.
class route {
public:
	const char	*name;	// as STACK9_ROUTE and --check spell it
	const char	*does;	// in a sentence, for --check
	job		 what;
	int		 rank;	// routes of a job are tried in this order

	constexpr route(const char *n, const char *d, job w, int r)
	    : name(n), does(d), what(w), rank(r) {}

	// Probed at first use, then remembered unless the answer may change.
	virtual verdict can() noexcept = 0;

	// Fill rec: pcs up to max, depth, dropped, flags, why, reason, and what
	// is known of the thread.  depth stays 0 unless 0 is returned.
	// job::kernel returns EAGAIN and STACK9_WHY_ON_CPU for a thread on a
	// CPU and says in the lead where; job::running follows it.
	virtual int save(const stack9_thread &, stack9_record &, lead &)
	    noexcept { return EOPNOTSUPP; }

	// job::self, the quick way: frames into pcs, up to max; how many they
	// are, 0 if save() has to say why.  Whether there are more is not told.
	virtual std::uint32_t own(const origin &, std::uintptr_t * /*pcs*/,
	    std::uint32_t /*max*/) noexcept { return 0; }

	// Every thread of pid (0: the machine).  Records go to the sink once;
	// those with why ON_CPU or TORN are captured again by the caller.
	virtual int each(pid_t, sink, void *) noexcept { return EOPNOTSUPP; }

	// job::user and user_running: registers and stack copied, nothing
	// unwound.  job::user returns EAGAIN and ON_CPU with the lead, as
	// job::kernel does.
	virtual int copy(const stack9_thread &, sides &, lead &) noexcept
	    { return EOPNOTSUPP; }

	// More of the memory of a thread that this route has copied: wanted is
	// an address that the walk lacks.  Not far behind a piece that has
	// more, that piece grows to at least twice its size; anywhere else,
	// other begins anew a little below wanted (a red zone).  EAGAIN: the
	// thread has run since; EFAULT: there is nothing; EOPNOTSUPP: this
	// route never can.  The copy is then as it was.
	virtual int copy_on(const stack9_thread &, user_copy &,
	    std::uint64_t /*wanted*/) noexcept { return EOPNOTSUPP; }

	// Whether copy() and each_copy() take the kernel stack of the same
	// moment when asked.  Routes that do not are never asked: kernel is
	// NULL, and the caller has taken it before.
	virtual bool both_sides() const noexcept { return false; }

	// job::user_each.  As each(): who was ON_CPU or TORN is captured again
	// by the caller.  kernel: kernel stacks too, in room of the route's;
	// pcs of the user's record are the caller's to give.
	virtual int each_copy(pid_t, bool /*kernel*/, sides_sink, void *)
	    noexcept { return EOPNOTSUPP; }

	// job::name.  flags as stack9_name()'s: with STACK9_NOWAIT it neither
	// waits nor allocates and is async-signal-safe; asked only if ready().
	virtual int find(std::uintptr_t, unsigned int /*flags*/,
	    stack9_symbol &) noexcept { return EOPNOTSUPP; }
	virtual bool ready() const noexcept { return false; }

	// job::async, if it can: what takes them.
	virtual async_queue *queue() noexcept { return nullptr; }

	// job::events: a watch that has begun, the caller's to delete; or an
	// errno, and why.  May throw std::bad_alloc.
	virtual int watch(const watch_request &, stack9_watcher *&,
	    std::string & /*why*/) { return EOPNOTSUPP; }

	// job::user: whether a capture stops the thread.
	virtual bool stops() const noexcept { return false; }

protected:
	~route() = default;
};

// A backend is a folder of routes; backends/CMakeLists.txt makes the table.
struct backend {
	const char		*name;
	std::span<route *const>	 routes;
	// stack9_pin(): keep in dir what makes the next start faster, or NULL.
	int			 (*pin)(const char *dir) noexcept = nullptr;
	// stack9_counts(): what it has counted, or NULL.
	int			 (*counts)(stack9_count_fn *, void *arg)
				     noexcept = nullptr;
};
extern const std::span<const backend *const> backends;

} // namespace stack9
