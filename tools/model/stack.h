// Holds what is known of one side of a thread, and of the thread when its
// stacks were captured, whether the library, a core or a record gave it.
// Sources fill it in; printers and comparisons take it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <stack9.h>

namespace tools {

struct stack {
	int		side = STACK9_KERNEL;	// or STACK9_USER
	int		error = 0;	// an errno: why there are no frames
	int		why = STACK9_WHY_NONE;
	std::uint32_t	flags = 0;	// STACK9_STACK_...
	std::uint32_t	dropped = 0;	// frames
	const char	*reason = "", *route = "";
	std::uint64_t	when_ns = 0;	// CLOCK_BOOTTIME; 0: not known

	// The frames, the innermost first, are addresses that names.h knows in
	// the process, or lines of a route that knows no addresses.
	std::span<const std::uint64_t>	pcs{};
	std::span<const char *const>	text{};
	// Functions of languages, by their places among the frames.
	std::span<const stack9_written>	written{};
	const char	*note = "";	// why some of these are missing
	const void	*process = nullptr;	// is only compared
	stack9_space	*space = nullptr;	// the library names pcs by it
	std::uint64_t	hash = 0;	// equal for equal stacks of the library

	// Owns what all these refer to; NULL: it is lent.
	std::shared_ptr<const void> owner{};

	std::uint32_t
	depth() const
	{
		return static_cast<std::uint32_t>(std::max(pcs.size(),
		    text.size()));
	}
};

// A thread without its stacks.
struct thread_facts {
	stack9_thread	thread{};
	std::string	comm;		// with any bytes
	std::string	name;		// that a language's runtime has; ""
	char		state = '?';	// a letter as in /proc/TID/stat
	int		cpu = -1;	// -1: not known
	std::uint64_t	switches = 0;	// 0: not known
};

struct sample : thread_facts {
	pid_t		tracer = 0;
	std::uint64_t	when_ns = 0;	// CLOCK_BOOTTIME; 0: not known
	std::optional<stack> kernel{}, user{};	// if asked for

	// The library finds the wait of this one; NULL: it captured none.
	std::shared_ptr<const stack9_sample> captured{};
};

// Says why there are no frames.  reason, if it is not NULL, and route last as
// long as the result.
stack without_frames(int side, int error, int why, const char *reason,
    const char *route = "");

// Leaves at most so many frames, the innermost ones.
void cut(stack &, std::uint32_t frames);

// Owns a sample, or nothing if the sample is lent.
using sample_ptr = std::shared_ptr<const sample>;

inline sample_ptr
lent(const sample &s)
{
	return {sample_ptr(), &s};
}

} // namespace tools
