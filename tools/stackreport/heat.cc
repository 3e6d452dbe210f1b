// Keeps what changes from one tick to the next: an idle hour is short.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "heat.h"

#include <algorithm>

#include "tools/record/records.h"

namespace stackreport {
namespace {

constexpr std::uint64_t second = 1'000'000'000;
constexpr std::uint64_t most_slots = 7200;

// A browser has to take them.  The rest are one stack.
constexpr std::size_t most_stacks = 100'000;

// Slots that people count in: a column is a second, a minute, an hour or a day.
constexpr std::uint64_t lengths[] = {second / 100, second / 50, second / 20,
    second / 10, second / 5, second / 2, second, 2 * second, 5 * second,
    10 * second, 30 * second, 60 * second, 300 * second, 600 * second,
    3600 * second, 4 * 3600 * second};

std::uint64_t
column_ns(std::uint64_t slot_ns)
{
	return slot_ns < second ? second : slot_ns < 60 * second ?
	    60 * second : slot_ns < 3600 * second ? 3600 * second :
	    86400 * second;
}

std::uint64_t
slot_ns(std::uint64_t period_ns, std::uint64_t took_ns)
{
	for (const std::uint64_t each : lengths)
		if (each >= period_ns && took_ns / each < most_slots)
			return each;
	return std::max(took_ns / most_slots, std::uint64_t{1}) + 1;
}

} // namespace

heat::heat(const options &o) : opt_(o), frames_(o, profile_), wanted_(o)
{
	profile_.event = o.event.empty() ? "threads" : o.event;
	profile_.unit = o.event.empty() ? "samples" : "events";
	profile_.command = o.line;
	profile_.filter = o.text();
	if (o.on_cpu)
		profile_.filter += profile_.filter.empty() ?
		    "threads that ran or waited for a CPU" :
		    ", that ran or waited for a CPU";
}

bool
heat::begin(const recording::segment_info &info)
{
	profile_.host = info.host;
	profile_.period_ns = info.period_ns;
	frames_.begin();
	wanted_.begin();
	of_thread_.clear();
	for (std::uint32_t i = 0; i < now_.size(); i++)
		set(i, 0);
	return true;
}

std::uint32_t
heat::number(std::uint32_t kernel, std::uint32_t user, const std::string &comm)
{
	const std::uint32_t name = comms_.try_emplace(comm,
	    static_cast<std::uint32_t>(comms_.size())).first->second;
	const bool is_full = now_.size() >= most_stacks;
	const auto known = numbers_.find({kernel, user, name});
	if (known != numbers_.end())
		return known->second;
	if (is_full && now_.size() > most_stacks)
		return most_stacks;
	profiles::stack &made = profile_.stacks.emplace_back();
	if (is_full)
		made.frames = {frames_.note("[too many stacks]")};
	else
		made.frames = frames_.joined(kernel, user, comm);
	const auto n = static_cast<std::uint32_t>(now_.size());
	if (!is_full)
		numbers_[{kernel, user, name}] = n;
	now_.push_back(0);
	stored_.push_back(0);
	return n;
}

void
heat::set(std::uint32_t stack, std::uint64_t weight)
{
	if (now_[stack] != weight)
		touched_.push_back(stack);
	now_[stack] = weight;
}

void
heat::leave(std::uint32_t thread)
{
	if (thread > of_thread_.size() || of_thread_[thread - 1] == 0)
		return;
	const std::uint32_t stack = of_thread_[thread - 1] - 1;
	set(stack, now_[stack] - 1);
	of_thread_[thread - 1] = 0;
}

void
heat::enter(const recording::segment &s, std::uint32_t thread,
    const recording::thread_state &now)
{
	if (!wanted_.thread(s, thread) || !wanted_.state(s, now))
		return;
	if (thread > of_thread_.size())
		of_thread_.resize(s.threads().size());
	const std::uint32_t stack = number(opt_.wants_kernel() ?
	    frames_.side(s, now.kernel) : 0, opt_.wants_user() ?
	    frames_.side(s, now.user) : 0, s.thread_of(thread).comm);
	set(stack, now_[stack] + 1);
	of_thread_[thread - 1] = stack + 1;
}

// A thread that is renamed keeps the name by which it entered its stack until
// it runs.
void
heat::follow(const recording::segment &s, const recording::tick &t)
{
	for (const std::uint32_t thread : t.gone)
		leave(thread);
	for (const recording::change &c : t.changes) {
		leave(c.thread);
		enter(s, c.thread, c.now);
	}
}

void
heat::count(const recording::segment &s, const recording::tick &t)
{
	for (std::uint32_t i = 0; i < now_.size(); i++)
		set(i, 0);
	for (const recording::event_count &c : t.counts) {
		if (!wanted_.event(s, c.event) ||
		    !wanted_.thread(s, c.thread) ||
		    !wanted_.stacks(s, c.kernel, c.user))
			continue;
		const bool takes_time = s.events()[c.event - 1].takes_time;
		if (takes_time)
			profile_.unit = "microseconds";
		const std::uint32_t stack = number(opt_.wants_kernel() ?
		    frames_.side(s, c.kernel) : 0, opt_.wants_user() ?
		    frames_.side(s, c.user) : 0, s.thread_of(c.thread).comm);
		set(stack, now_[stack] + (takes_time ? (c.ns + 500) / 1000 :
		    c.events));
	}
}

void
heat::store()
{
	const auto tick = static_cast<std::uint32_t>(ticks_.size() - 1);
	for (const std::uint32_t i : touched_)
		if (now_[i] != stored_[i]) {
			changes_.push_back({tick, i, now_[i]});
			stored_[i] = now_[i];
		}
	touched_.clear();
}

// Ticks of another machine's file, of the same time, are left out.
bool
heat::at(const recording::segment &s, const recording::tick &t)
{
	const std::int64_t now = recording::wall_ns(t);
	if (now > opt_.when.to)
		return false;
	for (const recording::name_change &n : t.names)
		wanted_.forget(n.thread);
	if (opt_.event.empty())
		follow(s, t);
	else
		count(s, t);
	if (now < opt_.when.from || (!ticks_.empty() && now <= ticks_.back()))
		return true;
	ticks_.push_back(now);
	store();
	return true;
}

profiles::heat_map
heat::map() const
{
	profiles::heat_map m;
	const auto took = static_cast<std::uint64_t>(ticks_.back() -
	    ticks_.front());
	m.slot_ns = slot_ns(profile_.period_ns, took);
	const auto column = static_cast<std::int64_t>(column_ns(m.slot_ns));
	m.rows = std::max<std::uint64_t>(1, column_ns(m.slot_ns) / m.slot_ns);
	m.began_ns = (ticks_.front() - (ticks_.front() < 0 ? column - 1 : 0)) /
	    column * column;
	// Ticks come in the middle of slots, so that a late one is in its own.
	const auto slot_length = static_cast<std::int64_t>(m.slot_ns);
	m.began_ns += (ticks_.front() - m.began_ns) % slot_length -
	    slot_length / 2;
	if (m.began_ns > ticks_.front())
		m.began_ns -= slot_length;
	std::vector<std::uint64_t> now(now_.size()), sum(now_.size()),
	    last(now_.size());
	std::vector<std::uint32_t> live;	// may weigh something
	std::vector<bool> is_live(now_.size());
	const auto end_slot = [&] {
		auto &slot = m.slots.emplace_back();
		std::vector<std::uint32_t> still;
		for (const std::uint32_t i : live) {
			if (sum[i] != last[i])
				slot.push_back({i, sum[i]});
			is_live[i] = now[i] != 0 || sum[i] != 0;
			if (is_live[i])
				still.push_back(i);
			last[i] = sum[i];
			sum[i] = 0;
		}
		live = std::move(still);
	};
	std::size_t at = 0;
	for (std::uint32_t tick = 0; tick < ticks_.size(); tick++) {
		const std::size_t slot = static_cast<std::size_t>(
		    static_cast<std::uint64_t>(ticks_[tick] - m.began_ns) /
		    m.slot_ns);
		while (m.slots.size() < slot)
			end_slot();
		for (; at < changes_.size() && changes_[at].tick == tick;
		    at++) {
			const std::uint32_t i = changes_[at].stack;
			now[i] = changes_[at].weight;
			if (!is_live[i])
				live.push_back(i);
			is_live[i] = true;
		}
		for (const std::uint32_t i : live)
			sum[i] += now[i];
	}
	end_slot();
	return m;
}

std::string
heat::text()
{
	return ticks_.empty() || profile_.stacks.empty() ? std::string() :
	    profiles::heat_page(profile_, map());
}

} // namespace stackreport
