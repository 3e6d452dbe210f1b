// Runs ptrace(2) calls in a process of their own that lives for a short while.
//
// When a tracer dies, the kernel releases everything that it had stopped or was
// about to stop.  No other part of Linux does as much.  So the tracer is a
// process in our memory, as vfork(2) makes one, that the kernel kills at a
// deadline, with its parent, and when it is stopped itself.
// Rejected: a thread of ours.  It cannot be killed alone.  A stack in memory
// that never arrives (userfaultfd, FUSE) or an execve(2) of the target could
// block it, and with it the target, for ever.  The program would also get a
// SIGCHLD for each stop, and its wait(2) calls could take ours.
//
// With kernel.yama.ptrace_scope 1 only ancestors may trace.  The process is not
// an ancestor of the target, but we may be one.  Then a thread of ours traces
// all the same.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "arena.h"

namespace stack9::tracing {

// Nanoseconds of CLOCK_MONOTONIC.
std::uint64_t now() noexcept;

inline constexpr std::uint64_t millisecond = 1000000;

// The tracer as the work that it runs sees it.  Memory and errno are ours.  The
// kernel may kill the tracer anywhere, so the work takes no lock, opens
// nothing, and allocates from its arena only.
class tracer {
public:
	virtual bool may_live(std::uint64_t ns) noexcept = 0;
	// Waits until something may have happened to a tracee, or until then.
	virtual void wait(std::uint64_t until) noexcept = 0;

protected:
	~tracer() = default;
};

struct work {
	virtual void run(tracer &) noexcept = 0;
	// Is called now and then in our own thread if the tracer is a thread
	// that does not end.
	virtual void nudge() noexcept {}

protected:
	~work() = default;
};

enum class run_end {
	done,
	killed,		// at the deadline, or by somebody else
	never,		// it did not begin
};

// Both return when the tracer has ended and has released every tracee.  life:
// the nanoseconds that it may run until it asks for more.
run_end run_as_process(work &, arena &, std::uint64_t life) noexcept;
run_end run_as_thread(work &) noexcept;

} // namespace stack9::tracing
