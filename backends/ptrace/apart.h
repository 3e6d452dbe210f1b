// A tracer of its own for a short while.
//
// A tracer that dies lets everything go, whatever it had stopped or was about
// to stop; nothing else in Linux does as much.  So whatever traces is a process
// in our memory (as vfork(2) makes them) that the kernel kills at a deadline,
// with its parent, and when it is stopped itself.  A thread of ours was
// rejected: it cannot be killed alone, so a stack in memory that never comes
// (userfaultfd, FUSE) or an execve(2) of the target could hold it, and with it
// the target, for ever; the program would get a SIGCHLD for each stop, and its
// wait(2)s could take ours.
//
// Yama, at 1, lets ancestors trace.  The process is none of the target's, where
// we may be: then it is a thread all the same.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "room.h"

namespace stack9::tracing {

// Nanoseconds of CLOCK_MONOTONIC.
std::uint64_t now() noexcept;

inline constexpr std::uint64_t millisecond = 1000000;

// The tracer, as what it runs sees it.  Memory is ours, and so is errno; but
// it may be killed anywhere, so it takes no lock, opens nothing, and allocates
// from its room only.
class tracer {
public:
	virtual bool may_live(std::uint64_t ns) noexcept = 0;
	// Until something may have happened to a tracee, or that time.
	virtual void wait(std::uint64_t until) noexcept = 0;

protected:
	~tracer() = default;
};

struct work {
	virtual void run(tracer &) noexcept = 0;
	// Called in our own thread now and then where the tracer is a thread
	// that does not come to an end.
	virtual void prod() noexcept {}

protected:
	~work() = default;
};

enum class ending {
	done,
	killed,		// at the deadline, or by somebody else
	never,		// it has not begun
};

// Returns when the tracer is gone, and with it its hold on anything.  life:
// what it has until it asks for more.
ending run_as_process(work &, room &, std::uint64_t life) noexcept;
ending run_as_thread(work &) noexcept;

} // namespace stack9::tracing
