// What is copied of a thread while it is held, and the way from seizing it to
// letting it go.  All of it runs in the tracer (apart.h).
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <sys/types.h>

#include "apart.h"
#include "registers.h"

namespace stack9::tracing {

// A stack is copied to its end, if that is known and not farther than this.
inline constexpr std::size_t stack_most = 16 << 20;
// Else as much as this, up to the first hole.
inline constexpr std::size_t stack_unknown = 1 << 20;

// Memory of a process, as the tracer reads it.
struct source {
	int		mem_fd = -1;	// /proc/TID/mem; -1: process_vm_readv()
	std::uintptr_t	start_stack = 0;	// the first thread's; 0: not
						// known
};

struct extent {
	std::uintptr_t	at = 0;
	std::size_t	size = 0;
	bool		whole = true;	// nothing of the stack is behind it
};

// A piece that was read, in a room.
struct read_piece {
	std::uintptr_t	 at = 0;
	const std::byte	*bytes = nullptr;
	std::size_t	 size = 0;
	bool		 more = false;
};

enum class step : std::uint8_t {
	seizing, waiting, copying, done,
};

struct held {
	held() noexcept = default;
	explicit held(pid_t t) noexcept : tid(t) {}

	pid_t		tid = 0;
	step		at = step::seizing;
	bool		stopped = false;
	int		error = 0;	// EAGAIN: it did not stop in time;
					// ENOMEM: no room; else of seizing
	int		signal = 0;	// that it was about to take
	std::uint64_t	when_ns = 0;	// CLOCK_BOOTTIME, when it had stopped
	raw_registers	registers;
	read_piece	stack;

	void seize_and_interrupt() noexcept;
	// Until it has stopped, it is gone, or that time: error says.
	void await(tracer &, std::uint64_t until) noexcept;
	void copy(const source &, room &) noexcept;
	void release() noexcept;
};

// As much as can be read of it, up to a hole, and to the end of the room.
read_piece read_into(room &, pid_t, const source &, const extent &) noexcept;

} // namespace stack9::tracing
