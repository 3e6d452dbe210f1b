// Opens a run when a thread changes and at the beginning of each batch, and
// closes it at the next change and at the end of the batch.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "batches.h"

#include <algorithm>
#include <utility>

#include "tools/record/records.h"

namespace servers {
namespace {

constexpr std::uint64_t minute_ns = 60'000'000'000;

// A tick adds a run for each thread, at most.
constexpr std::size_t most_runs = 65536;

// The segment has the name of the tick before.
const std::string &
comm_of(const recording::segment &s, const recording::tick &t,
    std::uint32_t thread)
{
	for (const recording::name_change &n : t.names)
		if (n.thread == thread)
			return n.comm;
	return s.thread_of(thread).comm;
}

} // namespace

bool
batches::begin(const recording::segment_info &)
{
	now_ = {};
	open_.clear();
	begun_ = false;
	goes_on_ = true;
	ticks_ = 0;
	return true;
}

bool
batches::is_open(std::uint32_t thread) const
{
	return thread <= open_.size() && open_[thread - 1].is_open;
}

void
batches::open(const recording::segment &s, const recording::tick &t,
    std::uint32_t thread, const recording::thread_state &st)
{
	if (thread > open_.size())
		open_.resize(std::max<std::size_t>(thread,
		    s.threads().size()));
	open_run &o = open_[thread - 1];
	o.what = {thread, st.kernel, st.user, st.state, st.wait, 0, tick_ns_,
	    0, comm_of(s, t, thread)};
	o.since = ticks_;
	o.is_open = true;
}

// Threads that have not run since the batch before are in no change.
void
batches::open_all(const recording::segment &s, const recording::tick &t)
{
	const auto size = static_cast<std::uint32_t>(s.threads().size());
	for (std::uint32_t n = 1; n <= size; n++) {
		const recording::thread_state *const st = s.state_of(n);
		if (st != nullptr && !is_open(n) && !std::binary_search(
		    t.gone.begin(), t.gone.end(), n))
			open(s, t, n, *st);
	}
}

// Times are given in microseconds, as stackcount gives them.
void
batches::add_events(const recording::segment &s, const recording::tick &t)
{
	for (const recording::event_count &c : t.counts) {
		const bool takes_time = s.events()[c.event - 1].takes_time;
		now_.runs.push_back({c.thread, c.kernel, c.user, '?', 0,
		    c.event, tick_ns_, takes_time ? (c.ns + 500) / 1000 :
		    c.events, comm_of(s, t, c.thread)});
	}
}

void
batches::close(std::uint32_t thread)
{
	if (!is_open(thread))
		return;
	open_run &o = open_[thread - 1];
	o.is_open = false;
	o.what.weight = ticks_ - o.since;
	if (o.what.weight != 0)
		now_.runs.push_back(std::move(o.what));
}

bool
batches::finish(const recording::segment &s, bool whole)
{
	for (std::uint32_t n = 1; n <= open_.size(); n++)
		close(n);
	if (goes_on_ && !now_.runs.empty())
		goes_on_ = take(s, now_, whole);
	const batch was = std::exchange(now_, {});
	now_.minute = was.minute;
	now_.part = was.part + 1;
	ticks_ = 0;
	return goes_on_;
}

// The states are those of the tick before, and the changes those of this tick.
bool
batches::at(const recording::segment &s, const recording::tick &t)
{
	const std::uint64_t minute = t.boot_ns / minute_ns;
	const bool is_next = begun_ && (minute != now_.minute ||
	    now_.runs.size() >= most_runs);
	now_.ends_minute = minute != now_.minute;
	if (is_next && !finish(s, true))
		return false;
	tick_ns_ = recording::wall_ns(t);
	if (!begun_ || is_next) {
		now_.part = begun_ && minute == now_.minute ? now_.part : 0;
		now_.minute = minute;
		now_.first_ns = tick_ns_;
	}
	begun_ = true;
	now_.last_ns = tick_ns_;
	for (const std::uint32_t n : t.gone)
		close(n);
	for (const recording::name_change &n : t.names)
		close(n.thread);
	for (const recording::change &c : t.changes) {
		close(c.thread);
		open(s, t, c.thread, c.now);
	}
	if (is_next || !t.names.empty())
		open_all(s, t);
	add_events(s, t);
	ticks_++;
	return true;
}

void
batches::end(const recording::segment &s, bool complete)
{
	now_.ends_minute = true;
	finish(s, complete);
}

} // namespace servers
