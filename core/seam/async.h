// Defines the queue of asynchronous captures that a route of job::async has.
// Backends implement it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>
#include <cstdint>
#include <span>

#include <stack9_async.h>

#include "job.h"

namespace stack9 {

// A submission that is over.
struct arrival {
	stack9_id	id;		// 0: see dropped
	std::uint64_t	cookie;		// of the event that submitted it; 0
	std::uint64_t	dropped;	// events that were lost because no slot
					// was free, since the last element
};

// An event, the threads that it submits, and the sides to capture.
struct async_event {
	const char	*name;		// "rawtracepoint:NAME" or
					// "profile:hz:N"
	pid_t		 pid;		// threads of this process only, or 0
	pid_t		 tid;		// this thread only, or 0
	stack9_side	 side;
	std::uint64_t	 cookie;	// given back by ready()
	const char	*category = nullptr;	// of the tracepoint, if given
};

// An event that submits threads; a route defines it.
struct submitter;

// The sides of one capture that the caller asks for.
struct async_sides {
	stack_record	*kernel;	// as for save(), or NULL
	stack_record	*user;		// likewise
	user_copy	&copy;
	// The caller has to unwind the copy into user.
	bool		 copied = false;
	// No copy is needed: user has the frames.
	bool		 walked = false;
	// publish() needs the stack that the copy turns out to be.
	bool		 publishes = false;
	// A larger limit would have made the copy larger.
	bool		 scant = false;
};

// Thread-safe.  The functions return as the public calls of their names do.
class async_queue {
public:
	// Prepares the queue, at the first submission or before.  0, or the
	// reason why the route cannot serve.
	virtual verdict open() noexcept = 0;

	// The caller sets pcs and max of kernel; its error says how it ended.
	// The reason of a verdict may be NULL.
	virtual verdict submit(const stack9_thread &, stack9_side, bool now,
	    stack_record *kernel, stack9_id &) noexcept = 0;
	// Stores the kernel side; the caller may have completed it.  ready()
	// does not report the id before, because its reader would be too early.
	virtual void settle(stack9_id, const stack_record &kernel)
	    noexcept = 0;

	virtual int collect(stack9_id, async_sides &) noexcept = 0;
	// Publishes the rules that the stack of a copy needs, so that the next
	// one need not be copied.
	virtual void publish(stack9_id, const stack_record &) noexcept {}
	virtual int cancel(stack9_id) noexcept = 0;
	virtual int release(stack9_id) noexcept = 0;

	virtual int ready(std::span<arrival>, std::size_t &count)
	    noexcept = 0;
	virtual int ready_fd(int &) noexcept = 0;
	virtual int limit(std::uint32_t captures, std::size_t bytes)
	    noexcept = 0;

	// The sentence is about ENOENT, and stays NULL if no more is known.
	virtual int watch(const async_event &, submitter *&,
	    const char *&why) noexcept = 0;
	virtual void unwatch(submitter &) noexcept = 0;

protected:
	~async_queue() = default;
};

// A kernel side has at most so many frames.
inline constexpr std::uint32_t async_kernel_frames = 144;

} // namespace stack9
