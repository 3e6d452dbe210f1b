// Stops all threads of a process and copies them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <span>

#include "tracer_process.h"
#include "stopped_thread.h"

namespace stack9::tracing {

// At most this many threads are stopped at once.
inline constexpr std::size_t threads_most = 1 << 16;

class all_work final : public work {
public:
	// tasks: /proc/PID/task, open.
	all_work(pid_t pid, int tasks, const source &s, arena &r) noexcept;

	bool is_ready() const noexcept { return !all_.empty(); }

	// To be called before run().  True once for each tid, because /proc may
	// list a tid twice.  A new tid that is not added is left out.
	bool is_new(pid_t tid) noexcept;
	void add(pid_t tid) noexcept;

	void run(tracer &) noexcept override;
	void nudge() noexcept override;

	// The threads that were added, and those that were born meanwhile.
	std::span<stopped_thread>
	all() const noexcept
	{
		return all_.first(used_);
	}
	// False: there were more threads than can be stopped.
	bool has_all() const noexcept { return !full_; }

	// To be called before it runs again: only the thread at which the
	// tracer was killed is passed over.  False: there is none.
	bool pass_over_last() noexcept;

private:
	bool find_new() noexcept;
	void hold(tracer &, std::span<stopped_thread>) noexcept;

	const pid_t		pid_;
	const int		tasks_;
	const source		&from_;
	arena			&memory_;
	std::span<stopped_thread>		all_;
	std::span<std::uint64_t> seen_;	// a bit for each tid
	std::size_t		used_ = 0;
	std::uint64_t		until_ = 0;
	bool			full_ = false;
};

} // namespace stack9::tracing
