// Finds the file whose code a program has moved to anonymous memory, as
// programs do to have it in huge pages (iodlr, HHVM, node --use-largepages).
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "os/process_memory.h"
#include "mapping.h"

namespace stack9::process {

// Returns true if code of a file could have been moved there.
bool could_be_moved_text(const mapping &) noexcept;

// Returns true if the file's bytes from offset on are what the process has in
// the mapping.  It compares 4 KiB, and the file has to be a near one.
bool has_bytes_of(const mapping &, process_memory &, const file &,
    std::uint64_t offset) noexcept;

// Calls fn(offset) with the places in the file of a neighbour, a mapping of
// that file, where the bytes of the mapping may come from, until it returns
// true.  False: it never did.
template <class F>
bool
find_moved_from(const mapping &m, const mapping &neighbour, F fn)
{
	// Linkers lay a segment out as many bytes after the one before it as in
	// the file, or by an alignment more.
	constexpr std::uint64_t steps[] = {0, 1 << 12, 1 << 16, 1 << 21};
	const bool is_before = neighbour.start < m.start;
	const std::uint64_t same = m.start - neighbour.start +
	    neighbour.offset;
	for (const std::uint64_t step : steps) {
		const std::uint64_t offset = is_before ? same - step :
		    same + step;
		if (static_cast<std::int64_t>(offset) >= 0 && fn(offset))
			return true;
	}
	return !is_before && fn(std::uint64_t{0});
}

} // namespace stack9::process
