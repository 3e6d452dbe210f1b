// Puts together the stacks that come in parts.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/seam/user_copy.h"

#include "backends/linux-events/programs/event_record.h"

namespace stack9::events {

class stack_parts {
public:
	// Keeps a part of a stack whose event is to come.  Parts that its
	// scratch has put for another event are dropped: that event's own
	// record was lost.  Throws std::bad_alloc.
	void add(const s9_event_copy &part);

	// Copies the event's stack, with its parts.  A piece of the copy ends
	// before a page that was not read.  The rest of a stack with more such
	// holes than a copy has pieces for is left out.  False: no memory.
	bool join(const s9_event_copy &event, user_copy &to) noexcept;

private:
	// Bytes without a hole.
	struct run {
		std::uint64_t	at;	// address of the first byte
		std::size_t	offset;	// in the bytes that are kept
		std::size_t	size;
	};
	struct rest {
		std::uint64_t		when_ns = 0;
		std::vector<std::byte>	bytes;
		std::vector<run>	runs;
	};

	std::unordered_map<std::uint32_t, rest> by_scratch_;
};

} // namespace stack9::events
