// The way of the tracer that holds all threads of a process.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <span>

#include "apart.h"
#include "held.h"

namespace stack9::tracing {

// More are not held at once.
inline constexpr std::size_t threads_most = 1 << 16;

class all_work final : public work {
public:
	// tasks: /proc/PID/task, open.
	all_work(pid_t pid, int tasks, const source &s, room &r) noexcept;

	bool is_ready() const noexcept { return !all_.empty(); }

	// Before it runs: true once for each tid, for /proc may have one twice;
	// whoever is new is to be added, or is left out.
	bool is_new(pid_t tid) noexcept;
	void add(pid_t tid) noexcept;

	void run(tracer &) noexcept override;
	void prod() noexcept override;

	// What has become of them, and of those that have come meanwhile.
	std::span<held> all() const noexcept { return all_.first(used_); }
	// False: there were more than can be held.
	bool has_all() const noexcept { return !full_; }

	// Before it runs again: only the one at which it was killed is passed
	// over.  False: there is none.
	bool pass_over_last() noexcept;

private:
	bool find_new() noexcept;
	void hold(tracer &, std::span<held>) noexcept;

	const pid_t		pid_;
	const int		tasks_;
	const source		&from_;
	room			&memory_;
	std::span<held>		all_;
	std::span<std::uint64_t> seen_;	// a bit for each tid
	std::size_t		used_ = 0;
	std::uint64_t		until_ = 0;
	bool			full_ = false;
};

} // namespace stack9::tracing
