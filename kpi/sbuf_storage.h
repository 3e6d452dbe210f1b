// Stores the text of an sbuf.  Text that does not fit is drained, or makes the
// storage grow, or is an error.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>

#include <stack9/sys/sbuf.h>

namespace stack9 {

inline bool
has(const sbuf &s, int flags) noexcept
{
	return (s.s_flags & flags) == flags;
}

// Returns zeroed memory; NULL only with SBUF_NOWAIT.
void *allocate(const sbuf &, std::size_t size) noexcept;

// Returns the size to grow to.  The sizes are FreeBSD's: 16 doubling up to a
// page, then by the page.  INT_MAX is the most, because a drain gets its length
// as an int.
std::size_t grown(std::size_t need) noexcept;

// Calls the drain once.
void drain(sbuf &);

// Appends as much as fits; the first error stays in s_error.
void put(sbuf &, const char *text, std::size_t len);

} // namespace stack9
