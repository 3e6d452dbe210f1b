// Puts a scripted symbol table in place of symbols/.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

namespace fake {

struct symbol {
	std::uintptr_t	 start;
	std::uintptr_t	 size;
	const char	*name;
};

// Sets the table, until the next call; the lookups allocate nothing.
void symbols(const symbol *table, int count);

// An errno for every lookup, or for those that may not wait; 0: none.
inline int always_fails = 0;
inline int nowait_fails = 0;

template <int n> void
symbols(const symbol (&table)[n])
{
	symbols(table, n);
	always_fails = nowait_fails = 0;
}

} // namespace fake
