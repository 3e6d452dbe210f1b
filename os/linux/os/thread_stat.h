// Holds what the system says of a thread besides its stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace stack9 {

// The facts that are used.
struct thread_stat {
	char		comm[65];	// longest: a kworker's, 64 characters
	char		state;		// 'R', 'S', 'D'...
	int		threads;	// of the process
	int		cpu;		// on it, or last on it; -1: cut off
	std::uint64_t	start;		// clock ticks since boot

	bool is_dead() const noexcept
	{
		return state == 'Z' || state == 'X' || state == 'x';
	}
	bool is_running() const noexcept { return state == 'R'; }
	bool
	is_asleep() const noexcept
	{
		return state == 'S' || state == 'D' || state == 'I';
	}
};

// Copies as much of the name as fits, and fills the rest with zeroes.
template <std::size_t n> void
copy_name(char (&to)[n], std::string_view from) noexcept
{
	const std::size_t length = std::min(from.size(), n - 1);
	std::memset(to, 0, n);
	std::memcpy(to, from.data(), length);
}

} // namespace stack9
