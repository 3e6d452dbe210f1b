// Begins and ends the walks of a line of events.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "event_line.h"

#include <utility>

namespace stack9::events {

// unused_ has room for all that are in line.
std::unique_ptr<waiting_event>
event_line::begin(waiting_event::kind what, const s9_event_head &head)
{
	std::unique_ptr<waiting_event> e;
	if (unused_.empty()) {
		unused_.reserve(line_.size() + 1);
		e = std::make_unique<waiting_event>(frames_);
	} else {
		e = std::move(unused_.back());
		unused_.pop_back();
	}
	e->what = what;
	e->head = head;
	e->still = waiting_event::need::nothing;
	return e;
}

bool
event_line::begin_walk(waiting_event &e) noexcept
{
	using need = waiting_event::need;
	stack_record &rec = e.user.record();
	e.still = need::walk;
	if (!walks_.claim())
		return true;
	const walk_begun how = walks_.begin(*rec.space, e.user.copy(), rec);
	if (how == walk_begun::yes)
		e.still = need::end;
	return how != walk_begun::full;
}

void
event_line::add(std::unique_ptr<waiting_event> &&e)
{
	line_.push_back(std::move(e));
}

std::unique_ptr<waiting_event>
event_line::take(std::uint32_t most) noexcept
{
	using need = waiting_event::need;
	auto e = std::move(line_.front());
	line_.pop_front();
	std::uint64_t wanted;
	if (e->still == need::end)
		e->user.end(walks_.end(e->user.record(), wanted), most);
	else if (e->still == need::walk)
		e->user.walk(most);
	return e;
}

void
event_line::give_back(std::unique_ptr<waiting_event> &&e) noexcept
{
	unused_.push_back(std::move(e));
}

} // namespace stack9::events
