// Stops the other threads of the process, copies their stacks, lets them go,
// and writes the copies.  Their kernel sides are read before.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>

#include "backends/ptrace/stopped_process.h"

#include "asleep.h"
#include "crash.h"
#include "steps.h"
#include "text.h"

namespace stack9::crash {

// What /proc says of a thread before it is stopped.
struct thread_before {
	pid_t		 tid;
	char		 state;		// '?': not known
	const char	*kernel;	// lines of /proc/TID/stack
	std::uint32_t	 size;		// 0: none
	int		 error;		// why there is none
};

class read_kernel_sides final : public work {
public:
	read_kernel_sides(const crash &c, int tasks, arena &) noexcept;
	void run(tracing::tracer &) noexcept override;

	const thread_before *of(pid_t tid) const noexcept;

private:
	void add(pid_t tid) noexcept;

	const crash			&what_;
	const int			 tasks_;
	arena				&memory_;
	std::span<thread_before>	 all_;
	std::size_t			 used_ = 0;
};

// Goes on after the last thread when it runs again.
class write_threads final : public work {
public:
	write_threads(const crash &c, std::span<tracing::stopped_thread> all,
	    std::span<const posture> postures,
	    const read_kernel_sides &kernel, std::span<std::uintptr_t> pcs)
	    noexcept
	    : what_(c), all_(all), postures_(postures), kernel_(kernel),
	      pcs_(pcs) {}
	void run(tracing::tracer &) noexcept override;

	bool has_more() const noexcept { return next_ < all_.size(); }

private:
	void write(const tracing::stopped_thread &, const posture *) noexcept;
	void write_kernel(text &, pid_t tid) noexcept;

	const crash					&what_;
	const std::span<tracing::stopped_thread>	 all_;
	const std::span<const posture>			 postures_;
	const read_kernel_sides				&kernel_;
	const std::span<std::uintptr_t>			 pcs_;
	std::size_t					 next_ = 0;
};

// Stops and writes all of them.
void report_threads(const crash &, arena &, const deadline &,
    std::span<std::uintptr_t> pcs) noexcept;

} // namespace stack9::crash
