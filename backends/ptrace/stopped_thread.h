// Takes one thread from PTRACE_SEIZE to its release and copies its registers
// and stack in between.  All of this runs in the tracer (tracer_process.h).
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <sys/types.h>

#include "tracer_process.h"
#include "registers.h"

namespace stack9::tracing {

// A stack is copied to its end if the end is known and at most this far away.
inline constexpr std::size_t stack_most = 16 << 20;
// Otherwise this much is copied, up to the first hole.
inline constexpr std::size_t stack_unknown = 1 << 20;

// Says how the tracer reads the memory of a process.
struct source {
	int		mem_fd = -1;	// /proc/TID/mem; -1: read_directly()
	std::uintptr_t	start_stack = 0;	// the first thread's; 0: not
						// known
};

struct extent {
	std::uintptr_t	at = 0;
	std::size_t	size = 0;
	bool		whole = true;	// the stack does not go on after it
};

// A piece that was read into an arena.
struct read_piece {
	std::uintptr_t	 at = 0;
	const std::byte	*bytes = nullptr;
	std::size_t	 size = 0;
	bool		 more = false;
};

enum class step : std::uint8_t {
	seizing, waiting, copying, done,
};

struct stopped_thread {
	stopped_thread() noexcept = default;
	explicit stopped_thread(pid_t t) noexcept : tid(t) {}

	pid_t		tid = 0;
	step		at = step::seizing;
	bool		stopped = false;
	int		error = 0;	// EAGAIN: it did not stop in time;
					// ENOMEM: the arena is full; others
					// come from PTRACE_SEIZE
	int		signal = 0;	// the one that it was about to take
	std::uint64_t	when_ns = 0;	// CLOCK_BOOTTIME, when it had stopped
	raw_registers	registers;
	read_piece	stack;

	void seize_and_interrupt() noexcept;
	// Waits until the thread has stopped, has ended, or until that time;
	// error says which.
	void await(tracer &, std::uint64_t until) noexcept;
	void copy(const source &, arena &) noexcept;
	void release() noexcept;
};

// Reads as much of the extent as is mapped and as the arena can take.
read_piece read_into(arena &, pid_t, const source &, const extent &) noexcept;

} // namespace stack9::tracing
