// Holds what this system would say of a thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace stack9 {

struct thread_stat {
	char		comm[20];
	char		state;
	int		threads;
	int		cpu;
	std::uint64_t	start;

	bool is_dead() const noexcept { return state == 'Z'; }
	bool is_running() const noexcept { return state == 'R'; }
	bool is_asleep() const noexcept { return state == 'S'; }
};

template <std::size_t n> void
copy_name(char (&to)[n], std::string_view from) noexcept
{
	to[from.copy(to, n - 1)] = '\0';
}

} // namespace stack9
