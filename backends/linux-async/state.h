// All that asynchronous captures of this process have: made at the first
// submission, and anew in a forked child.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <mutex>
#include <vector>

#include "core/seam/kept_record.h"

#include "ready.h"
#include "table.h"
#include "bpf/capture_lock.h"

namespace stack9::bpf {

struct async_state {
	std::mutex		mutex;
	async_table		table;		// lock-free
	ready_list		ready{table};	// belongs to mutex,
	// Kernel sides of what the process submitted, by slot; likewise.
	std::vector<kept_record> kernels;
	std::uint64_t		reaped_ns = 0;	// after all; likewise

	// 0, or an errno.
	int open(const async_limits &, std::uint64_t first_gen) noexcept;
};

// This process's, opened if need be; NULL and why not.  What was refused for
// good is not tried again.
async_state *opened_state(verdict &) noexcept;
// Whether it could be.
verdict probe() noexcept;
// It has lost its descriptors: the next will be another.
void abandon_state(async_state &) noexcept;
// NULL: it has none yet.
async_state *current_state() noexcept;
// EBUSY: it has one already.
int set_limits(const async_limits &) noexcept;

} // namespace stack9::bpf
