// Defines the interface of a route, one class for each job.  A route is one way
// to do one job.  It implements every function of its class.
//
// Routes are static and never destroyed, because other threads may be capturing
// while the program exits.  Their functions do not throw, except where a
// comment says so.
//
// A frame is an address in every interface here.  A language's frame, whose
// name no address leads to, needs a kind and a text beside its address: both
// belong into stack9_record, and every class below then passes them on.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "job.h"
#include "unwind/walk.h"
#include "wait.h"

namespace stack9 {

class async_queue;	// async.h
class event_watcher;	// watch.h
struct watch_request;	// watch.h

class route {
public:
	const char	*name;	// as STACK9_ROUTE and --check spell it
	const char	*does;	// in a sentence, for --check
	int		 rank;	// routes of a job are tried in this order

	constexpr route(const char *n, const char *d, int r) noexcept
	    : name(n), does(d), rank(r) {}

	// Tries the route at first use and remembers the verdict, unless the
	// verdict may change.
	virtual verdict can() noexcept = 0;

protected:
	~route() = default;
};

// The save() functions below fill rec: pcs up to max, depth, dropped, flags,
// why, reason, and what is known of the thread.  depth stays 0 unless save()
// returns 0.

// The frames that the quick way found; whole: they reach the outermost one, and
// nothing is to be said of them.
using quick_stack = unwind::quick_walk;

// job::self.
class own_route : public route {
public:
	virtual int save(stack_record &, const origin &) noexcept = 0;

	// The quick way: writes at most max frames to pcs.  If depth is 0, or
	// if the stack is not whole and the caller has to know why, save() is
	// to be called.  The members of an origin, in registers.
	virtual quick_stack save_pcs(std::uintptr_t pc, std::uintptr_t sp,
	    std::uintptr_t fp, std::uintptr_t *pcs, std::uint32_t max)
	    noexcept = 0;

	// The calling thread goes on on the stack of [low, high).  This stays
	// mapped until the next call.
	virtual void
	switch_stack(std::uintptr_t, std::uintptr_t) noexcept
	{
	}

protected:
	using route::route;
	~own_route() = default;
};

// job::sibling.
class sibling_route : public route {
public:
	virtual int save(const stack9_thread &, stack_record &) noexcept = 0;

	// Returns true if a system call of the thread may end early by it.
	virtual bool disturbs() const noexcept { return false; }

protected:
	using route::route;
	~sibling_route() = default;
};

// job::kernel.  For a thread on a CPU save() returns EAGAIN with
// STACK9_WHY_ON_CPU, and fills the lead.
class kernel_route : public route {
public:
	virtual int save(const stack9_thread &, stack_record &, lead &)
	    noexcept = 0;

protected:
	using route::route;
	~kernel_route() = default;
};

// job::running.  save() follows the lead.
class running_route : public route {
public:
	virtual int save(const stack9_thread &, stack_record &, const lead &)
	    noexcept = 0;

protected:
	using route::route;
	~running_route() = default;
};

// job::each.
class pass_route : public route {
public:
	// Every thread of pid, or of the machine if pid is 0.  Each record goes
	// to the sink once.  The caller captures those again whose why is
	// ON_CPU or TORN.
	virtual int each(pid_t pid, sink, void *arg) noexcept = 0;

protected:
	using route::route;
	~pass_route() = default;
};

// job::name.
class name_route : public route {
public:
	// flags are those of stack9_name().  With STACK9_NOWAIT the function
	// neither waits nor allocates, is async-signal-safe, and is called only
	// if ready().
	virtual int find(std::uintptr_t pc, unsigned int flags,
	    symbol_name &) noexcept = 0;
	virtual bool ready() const noexcept = 0;

protected:
	using route::route;
	~name_route() = default;
};

// The jobs whose routes copy registers and stack.  The core unwinds the copy.
class copying_route : public route {
public:
	// Reads more of the memory of a thread that this route has copied.
	// wanted is an address that the walk lacks.  If it lies not far after a
	// piece that has more, that piece grows to at least twice its size.
	// Otherwise the piece `other`, or a further one, starts at a new place,
	// a red zone below wanted.
	// EAGAIN: the thread has run since.  EFAULT: there is no memory.
	// EOPNOTSUPP: this route never can.  On failure the copy is unchanged.
	virtual int extend_copy(const stack9_thread &, user_copy &,
	    std::uint64_t wanted) noexcept = 0;

	// True if the route takes the kernel stack of the same moment too.  If
	// not, sides::kernel is NULL, and the caller has taken it before.
	virtual bool both_sides() const noexcept = 0;

	// Returns true if a capture stops the thread.
	virtual bool stops() const noexcept = 0;

protected:
	using route::route;
	~copying_route() = default;
};

// job::user.  For a thread on a CPU copy() returns EAGAIN with
// STACK9_WHY_ON_CPU, and fills the lead.
class user_route : public copying_route {
public:
	virtual int copy(const stack9_thread &, sides &, lead &) noexcept = 0;

protected:
	using copying_route::copying_route;
	~user_route() = default;
};

// job::user_running.  copy() follows the lead.
class user_running_route : public copying_route {
public:
	virtual int copy(const stack9_thread &, sides &, const lead &)
	    noexcept = 0;

protected:
	using copying_route::copying_route;
	~user_running_route() = default;
};

// job::user_each.
class user_pass_route : public copying_route {
public:
	// As pass_route::each().  kernel asks for kernel stacks too: the route
	// stores these in buffers of its own.  The sink sets pcs of the user's
	// record.
	virtual int each_copy(pid_t pid, bool kernel, sides_sink, void *arg)
	    noexcept = 0;

protected:
	using copying_route::copying_route;
	~user_pass_route() = default;
};

// job::async.
class async_route : public route {
public:
	virtual async_queue &queue() noexcept = 0;

protected:
	using route::route;
	~async_route() = default;
};

// job::wait.
class wait_route : public route {
public:
	// Looks at threads, given by ascending tid, and fills in each of them.
	// 0; or an errno, if it could look at none.
	virtual int look(std::span<wait_facts>) noexcept = 0;

	// Gives the state of every thread of pid, or of the machine if pid is
	// 0.  0; an errno; or what the sink returned, if that was not 0.
	virtual int states(pid_t pid, state_sink, void *arg) noexcept = 0;

protected:
	using route::route;
	~wait_route() = default;
};

// job::events.
class event_route : public route {
public:
	// False: it never watches what is asked for.  May throw
	// std::bad_alloc.
	virtual bool takes(const watch_request &) { return true; }
	// Returns 0 and a watch that has begun (the caller deletes it); or an
	// errno and a sentence.  May throw std::bad_alloc.
	virtual int watch(const watch_request &, event_watcher *&,
	    std::string &why) = 0;

protected:
	using route::route;
	~event_route() = default;
};

} // namespace stack9
