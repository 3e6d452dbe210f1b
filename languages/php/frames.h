// Reads the frames that PHP keeps of its functions: the chain of
// zend_execute_data.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "layout.h"

namespace stack9::languages::php {

// Bits of a frame's type: it was entered from C (ZEND_CALL_TOP); and the kind
// of its This, if that is an object.
inline constexpr std::uint32_t top_flag = 1 << 17, kind_mask = 0xf,
    object_kind = 8;

struct frame {
	std::uint64_t	at, opline, function, object;	// object: This
	std::uint32_t	type;
	bool		waits;	// in `yield from`, for the one before it

	bool is_top() const noexcept { return (type & top_flag) != 0; }
	bool
	has_object() const noexcept
	{
		return (type & kind_mask) == object_kind;
	}
};

// Gives the frames that have a function, innermost first.  False: the chain
// does not end, or memory of it cannot be read.
bool read_frames(unwind::memory &, const layout &, const places &,
    std::uint64_t bias, std::uint64_t globals, std::vector<frame> &);

} // namespace stack9::languages::php
