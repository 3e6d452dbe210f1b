// Puts together the stacks that come in parts.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <unordered_map>

#include "core/seam/user_copy.h"

#include "event_record.h"

namespace stack9::events {

class stack_parts {
public:
	// Keeps a part of a stack whose event is to come.  Parts that its
	// scratch has put for another event are dropped: that event's own
	// record was lost.
	void add(const s9_event_copy &part);

	// Copies the event's stack, with its parts.  False: no memory.
	bool join(const s9_event_copy &event, copied_piece &to) noexcept;

private:
	struct rest {
		std::uint64_t	when_ns = 0;
		std::uint64_t	end = 0;	// address behind the last part
		byte_buffer	bytes;		// with room for the first part
	};

	std::unordered_map<std::uint32_t, rest> by_scratch_;
};

} // namespace stack9::events
