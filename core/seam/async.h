// Asynchronous captures: what a route of job::async has.  Backends implement
// it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>
#include <cstdint>
#include <span>

#include <stack9_async.h>

#include "job.h"

namespace stack9 {

// What is asked for of one capture, and what is given.
struct async_sides {
	stack9_record	*kernel;	// as for save(), or NULL
	stack9_record	*user;		// likewise
	user_copy	&copy;
	bool		 copied = false;	// user is to be unwound: its
						// frames are in the copy
	bool		 scant = false;	// a larger limit would have helped
};

// Thread-safe.  Calls return as the public ones of their names do.
class async_queue {
public:
	// At the first submission, or before one: 0, or why it cannot be.
	virtual verdict open() noexcept = 0;

	// kernel: pcs and max given; 0 there, or why not.
	virtual int submit(const stack9_thread &, stack9_side, bool now,
	    stack9_record *kernel, stack9_id &) noexcept = 0;
	// kernel is as the caller has it by now.  Before this the id is not
	// given to ready(), for who takes it there might be too early.
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

// The most frames that a kernel side has.
inline constexpr std::uint32_t async_kernel_frames = 144;

} // namespace stack9
