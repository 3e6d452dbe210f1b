// Declares the address space of this process, for a library that knows no other
// one: the lines of /proc/self/maps as they were when it was opened.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "core/seam/space.h"

// Opaque to callers; counted.
struct stack9_space {
	struct line {
		std::uintptr_t	start, end;
		std::uint64_t	offset;
		std::string	path;
		bool		deleted;
	};

	std::atomic<int>	holders{1};
	std::vector<line>	lines;		// by address

	// 0; EOPNOTSUPP: there is no /proc.  Throws std::bad_alloc.
	int read();
	// NULL: nothing is mapped there.
	const line *find(std::uintptr_t pc) const noexcept;
};
