// Defines the queue of asynchronous captures, which a route of job::async has.
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

// The sides of one capture that the caller asks for.
struct async_sides {
	stack9_record	*kernel;	// as for save(), or NULL
	stack9_record	*user;		// likewise
	user_copy	&copy;
	// The caller has to unwind the copy into user.
	bool		 copied = false;
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
	virtual int submit(const stack9_thread &, stack9_side, bool now,
	    stack9_record *kernel, stack9_id &) noexcept = 0;
	// Stores the kernel side, which the caller may have completed.  ready()
	// does not report the id before, because its reader would be too early.
	virtual void settle(stack9_id, const stack9_record &kernel)
	    noexcept = 0;

	virtual int collect(stack9_id, async_sides &) noexcept = 0;
	virtual int cancel(stack9_id) noexcept = 0;
	virtual int release(stack9_id) noexcept = 0;

	virtual int ready(std::span<stack9_arrival>, std::size_t &count)
	    noexcept = 0;
	virtual int ready_fd(int &) noexcept = 0;
	virtual int limit(std::uint32_t captures, std::size_t bytes)
	    noexcept = 0;

	virtual int watch(const stack9_event &, stack9_submitter *&) noexcept
	    = 0;
	virtual void unwatch(stack9_submitter &) noexcept = 0;

protected:
	~async_queue() = default;
};

// A kernel side has at most so many frames.
inline constexpr std::uint32_t async_kernel_frames = 144;

} // namespace stack9
