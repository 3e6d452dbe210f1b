// Believes a capture if the thread's next event is later.  Between an event and
// the capture the thread may have run on, and may have come back to the same
// place.  Each way there begins with a system call or ends one sleep and begins
// the next, so it is an event itself.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "second_captures.h"

#include <algorithm>
#include <string_view>

#include "core/seam/capture_asleep.h"
#include "os/clocks.h"
#include "processes.h"

namespace stack9::events {
namespace {

constexpr std::size_t most_sleepers = 1 << 16;

} // namespace

void
second_captures::begin(const loader &from)
{
	const settings &s = from.set();
	wanted_ = s.config.compare && s.languages && s.config.limit == 0 &&
	    s.config.min_ns == 0 && s.config.max_ns == 0 &&
	    std::ranges::all_of(from.probes(), [](const probe &p) {
		return p.kind == probe_kind::off_cpu ||
		    (p.kind == probe_kind::syscall && !p.returns);
	});
}

void
second_captures::count(const thread &t) noexcept
{
	compared_++;
	differing_ += t.differs;
}

void
second_captures::meet(const s9_event_head &head)
{
	if (!wanted_)
		return;
	if (threads_.size() > most_sleepers)
		threads_.clear();
	thread &t = threads_[head.host_tid];
	if (t.until_ns != 0 && head.when_ns > t.until_ns)
		count(t);
	t = {head.when_ns, 0, false};
}

void
second_captures::tally(watch_totals &to, bool ended)
{
	for (auto &[tid, t] : threads_)
		if (ended && t.until_ns != 0) {
			count(t);
			t.until_ns = 0;
		}
	to.asleep = compared_;
	to.unlike = differing_;
}

// Captures the thread, and says whether its native stack is that of the event.
bool
second_captures::sleeps_there(const s9_event_head &head,
    const stack_record &user)
{
	stack_record now{};
	pcs_.resize(std::max<std::size_t>(user.depth + 1, S9_MOST_FRAMES));
	now_.clear();
	now.pcs = pcs_.data();
	now.max = static_cast<std::uint32_t>(pcs_.size());
	now.space = user.space;
	now.written = &now_;
	return capture_asleep(thread_of(head), now) == 0 &&
	    now.depth == user.depth &&
	    std::equal(user.pcs, user.pcs + user.depth, now.pcs);
}

// At events the functions of V8 have no class before their name, and some that
// have no name get one from the object they are called on.
bool
second_captures::is_same(const woven_frames &seen) const
{
	written_stack then;
	if (seen.frames.size() != now_.frames.size())
		return false;
	table_.show(seen.frames.data(), seen.frames.size(), then);
	for (std::size_t i = 0; i < then.frames.size(); i++) {
		const written_frame &a = then.frames[i], &b = now_.frames[i];
		const std::string_view language = then.text_of(a.language);
		const std::string_view name = then.text_of(a.name);
		if (a.at != b.at || language != now_.text_of(b.language) ||
		    (name != "?" && (a.line != b.line ||
		    then.text_of(a.file) != now_.text_of(b.file))) ||
		    (name != "?" && language != "javascript" &&
		    name != now_.text_of(b.name)))
			return false;
	}
	return true;
}

void
second_captures::take(const s9_event_head &head, const stack_record &user,
    const woven_frames &seen)
{
	const auto at = wanted_ && !seen.lacking && user.depth != 0 ?
	    threads_.find(head.host_tid) : threads_.end();
	if (at == threads_.end() || at->second.event_ns != head.when_ns ||
	    !sleeps_there(head, user))
		return;
	at->second.differs = !is_same(seen);
	at->second.until_ns = boot_ns();
}

} // namespace stack9::events
