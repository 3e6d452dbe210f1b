// Keeps the captures of one process that are tried until they succeed.
//
// Each process has one table.  It is never destroyed, because other threads may
// use it while the program exits.  A forked child leaves its parent's table
// alone and makes its own, because one of the parent's threads may have held
// the lock.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "core/seam/async.h"
#include "core/seam/kept_record.h"
#include "os/timer.h"

namespace stack9 {

class retries {
public:
	// Makes the table of this process, if it has none.
	static verdict open(std::uint32_t captures) noexcept;
	// NULL: the process has none.  Its parent's table is not its own.
	static retries *of_process() noexcept;

	// As the functions of async_queue.
	verdict submit(const stack9_thread &, stack9_side,
	    stack_record *kernel, stack9_id &) noexcept;
	void settle(stack9_id, const stack_record &kernel) noexcept;
	int collect(stack9_id, async_sides &) noexcept;
	int cancel(stack9_id) noexcept;
	int release(stack9_id) noexcept;
	int ready(std::span<arrival>, std::size_t &count) noexcept;
	int fd() const noexcept { return timer_.get(); }

private:
	enum class phase : std::uint8_t { free, waiting, done, cancelled };

	struct entry {
		std::uint64_t	gen = 0;
		phase		now = phase::free;
		bool		held_back = false;
		stack9_side	side = STACK9_BOTH;
		stack9_thread	td{};
		kept_record	kernel, user;
	};

	int prepare(std::uint32_t captures) noexcept;
	entry *find(stack9_id) noexcept;
	std::uint32_t number_of(const entry &) const noexcept;
	verdict begin(entry &, stack_record *kernel) noexcept;
	int attempt(entry &) noexcept;
	void attempt_all() noexcept;
	void end(entry &, phase) noexcept;
	void set_timer() noexcept;

	const pid_t		owner_;
	const std::uint64_t	parents_;	// generations they have used
	timer			timer_;
	std::mutex		mutex_;		// guards all members below
	std::vector<entry>	entries_;
	std::vector<std::uint32_t> free_;
	std::vector<stack9_id>	over_;		// not yet reported; never grows
	std::uint32_t		waiting_ = 0;

	retries(pid_t owner, std::uint64_t parents) noexcept
	    : owner_(owner), parents_(parents) {}
	static std::atomic<retries *> made_;
};

} // namespace stack9
