// Finds one line of /proc/self/maps without heap, lock or stdio.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

namespace stack9 {

struct mapping {
	std::uintptr_t	start = 0;
	std::uintptr_t	end = 0;
	std::uint64_t	inode = 0;	// 0: no file
};

// Finds the mapping that holds addr.  Async-signal-safe; errno may change.
bool find_mapping(std::uintptr_t addr, mapping &) noexcept;

} // namespace stack9
