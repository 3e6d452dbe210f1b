// Declares user sides as they come from events, and counts of the walked ones.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "require.h"

inline constexpr char calls[] = "rawtracepoint:sys_enter";

// A number of stack9_stats(3).
struct ways {
	std::uint64_t	walked = 0, copied = 0;

	static ways now();
};

// A user side, named by the space that its process had when it was collected.
struct side {
	std::vector<std::uintptr_t>	pcs;
	std::vector<std::string>	names;
	unsigned int			flags = 0;
	bool				whole = false;

	bool
	has(const std::string &name, std::size_t at) const
	{
		return names.size() > at &&
		    names[at].find(name) != std::string::npos;
	}
};

// Takes what comes until enough() says so.
void take_until(const std::function<bool()> &enough,
    const std::function<void(const side &)> &see);
void forget_all();
bool have_walked(const ways &before, std::uint64_t n);

// Events walk on this kernel and this CPU.
boost::unit_test::decorator::precondition walks();
