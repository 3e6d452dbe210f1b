// Holds all that asynchronous captures of this process need.  It is made at the
// first submission, and again in a forked child.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <mutex>
#include <vector>

#include <stack9.h>

#include "core/seam/kept_record.h"

#include "event_walks.h"
#include "ready.h"
#include "table.h"
#include "bpf/capture_lock.h"

namespace stack9::bpf {

struct async_state {
	std::mutex		mutex;
	async_table		table;		// lock-free
	event_walks		walks;		// has a lock of its own
	ready_list		ready{table};	// mutex guards it and the rest
	// The kernel sides of captures that the process submitted, by slot.
	std::vector<kept_record> kernels;
	std::uint64_t		checked_ns = 0;	// when all were checked

	// 0, or an errno.
	int open(const async_limits &, std::uint64_t first_gen) noexcept;
};

// The state of this process.  It is opened if there is none; NULL: the verdict
// says why not.  A refusal for good is not tried again.
async_state *opened_state(verdict &) noexcept;
// Says whether it could be opened.
verdict probe() noexcept;
// Gives up a state that has lost its descriptors; the next will be another.
void abandon_state(async_state &) noexcept;
// The state of this process; NULL: it has none yet.
async_state *current_state() noexcept;
// 0, or EBUSY: the process has a state already.
int set_limits(const async_limits &) noexcept;
// Implements backend::counts, from the memory that the programs write to.
int async_counts(stack9_stat_fn *, void *arg) noexcept;

} // namespace stack9::bpf
