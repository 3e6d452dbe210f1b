// The storage of an sbuf: text goes in piece by piece, and what does not fit is
// drained, or makes it grow, or is an error.
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

// Zeroed; NULL only with SBUF_NOWAIT.
void *allocate(const sbuf &, std::size_t size) noexcept;

// FreeBSD's sizes: 16 doubling up to a page, then by the page; at most
// INT_MAX, for a drain is told its length as an int.
std::size_t grown(std::size_t need) noexcept;

// Call the drain once.
void drain(sbuf &);

// Append as far as it goes; the first error stays in s_error.
void put(sbuf &, const char *text, std::size_t len);

} // namespace stack9
