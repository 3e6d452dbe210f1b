// Puts parts behind each other, where the event's own bytes will come first.
// Each byte is copied once.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "stack_parts.h"

#include <cstring>
#include <utility>

namespace stack9::events {

void
stack_parts::add(const s9_event_copy &part)
{
	rest &r = by_scratch_[part.head.scratch];
	const std::size_t have =
	    r.when_ns == part.head.when_ns && r.end == part.user.from ?
	    r.bytes.size() : S9_COPY_ROOM;
	r.when_ns = r.end = 0;
	if (!r.bytes.resize(have + part.user.bytes))
		return;
	std::memcpy(r.bytes.data() + have, part.bytes, part.user.bytes);
	r.when_ns = part.head.when_ns;
	r.end = part.user.from + part.user.bytes;
}

bool
stack_parts::join(const s9_event_copy &event, copied_piece &to) noexcept
{
	const s9_user &u = event.user;
	const auto at = by_scratch_.find(event.head.scratch);
	const bool has_parts = at != by_scratch_.end() &&
	    u.bytes == S9_COPY_ROOM &&
	    at->second.when_ns == event.head.when_ns &&
	    at->second.end - u.from == at->second.bytes.size();
	if (has_parts)
		std::swap(to.bytes, at->second.bytes);
	else if (!to.bytes.resize(u.bytes))
		return false;
	if (u.bytes != 0)
		std::memcpy(to.bytes.data(), event.bytes, u.bytes);
	to.at = u.from;
	if (has_parts)
		at->second.when_ns = at->second.end = 0;
	return true;
}

} // namespace stack9::events
