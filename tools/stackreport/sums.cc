// Counts a thread when it changes, not at each tick: a thread that sleeps for
// an hour costs nothing meanwhile.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "sums.h"

#include <algorithm>
#include <tuple>

#include "tools/lib/text.h"
#include "tools/record/records.h"

namespace stackreport {
namespace {

// A file of an enemy could ask for any amount of memory by pairs of long
// stacks.
constexpr std::size_t most_frames_of_all = std::size_t{1} << 27;

bool
weighs_more(const counted &a, const counted &b)
{
	return std::tie(b.weight, a.comm, a.user, a.kernel) <
	    std::tie(a.weight, b.comm, b.user, b.kernel);
}

} // namespace

sums::sums(const options &o, const interval &when)
    : opt_(o), when_(when), frames_(o, profile_), wanted_(o)
{
	profile_.event = o.event.empty() ? "threads" : o.event;
	profile_.unit = o.event.empty() ? "samples" : "events";
	profile_.command = o.line;
	profile_.filter = o.text();
}

bool
sums::begin(const recording::segment_info &info)
{
	profile_.host = info.host;
	profile_.period_ns = info.period_ns;
	frames_.begin();
	wanted_.begin();
	ticks_ = 0;
	added_.clear();
	comms_.clear();
	return true;
}

std::uint32_t
sums::comm_of(const recording::segment &s, std::uint32_t thread)
{
	if (thread > comms_.size())
		comms_.resize(s.threads().size());
	std::uint32_t &known = comms_[thread - 1];
	if (known != 0)
		return known;
	const std::string &comm = s.thread_of(thread).comm;
	const auto [at, fresh] = comm_numbers_.try_emplace(comm,
	    static_cast<std::uint32_t>(comm_names_.size() + 1));
	if (fresh)
		comm_names_.push_back(comm);
	return known = at->second;
}

void
sums::add(const recording::segment &s, std::uint32_t thread)
{
	if (thread > added_.size())
		added_.resize(s.threads().size(), ticks_);
	const std::uint64_t ticks = ticks_ - added_[thread - 1];
	added_[thread - 1] = ticks_;
	const recording::thread_state *const was = s.state_of(thread);
	if (ticks == 0 || was == nullptr || !wanted_.thread(s, thread) ||
	    !wanted_.state(s, *was))
		return;
	counts_.add({opt_.wants_kernel() ? frames_.side(s, was->kernel) : 0,
	    opt_.wants_user() ? frames_.side(s, was->user) : 0,
	    comm_of(s, thread), ticks, ticks});
}

void
sums::add(const recording::segment &s, const recording::event_count &c)
{
	if (!wanted_.event(s, c.event) || !wanted_.thread(s, c.thread) ||
	    !wanted_.stacks(s, c.kernel, c.user))
		return;
	const bool takes_time = s.events()[c.event - 1].takes_time;
	if (takes_time)
		profile_.unit = "microseconds";
	counts_.add({opt_.wants_kernel() ? frames_.side(s, c.kernel) : 0,
	    opt_.wants_user() ? frames_.side(s, c.user) : 0,
	    comm_of(s, c.thread), takes_time ? (c.ns + 500) / 1000 : c.events,
	    c.events});
}

bool
sums::at(const recording::segment &s, const recording::tick &t)
{
	const std::int64_t now = recording::wall_ns(t);
	if (opt_.event.empty()) {
		for (const std::uint32_t thread : t.gone)
			add(s, thread);
		for (const recording::change &c : t.changes)
			add(s, c.thread);
		for (const recording::name_change &n : t.names)
			add(s, n.thread);
	} else if (when_.has(now)) {
		for (const recording::event_count &c : t.counts)
			add(s, c);
		lost_ += t.lost;
	}
	for (const recording::name_change &n : t.names) {
		wanted_.forget(n.thread);
		if (n.thread <= comms_.size())
			comms_[n.thread - 1] = 0;
	}
	if (now > when_.to)
		return false;
	if (now < when_.from)
		return true;
	ticks_++;
	if (all_.ticks++ == 0)
		first_ = now;
	last_ = now;
	return true;
}

void
sums::end(const recording::segment &s, bool)
{
	for (std::uint32_t n = 1; opt_.event.empty() &&
	    n <= s.threads().size(); n++)
		add(s, n);
}

void
sums::put(const counted &c)
{
	profiles::stack &to = profile_.stacks.emplace_back();
	to.frames = frames_.joined(c.kernel, c.user, comm_names_[c.comm - 1]);
	to.events = c.events;
	to.weight = c.weight;
}

// The stacks that would take too much memory become one.
void
sums::put_rest(const std::vector<counted> &all, std::size_t from)
{
	profiles::stack rest;
	for (std::size_t i = from; i < all.size(); i++) {
		rest.events += all[i].events;
		rest.weight += all[i].weight;
	}
	rest.frames = {frames_.note("[too many stacks]")};
	profile_.stacks.push_back(std::move(rest));
}

profiles::profile &
sums::finish(std::uint64_t most)
{
	std::vector<counted> all = counts_.take();
	profile_.began_ns = static_cast<std::uint64_t>(first_);
	profile_.took_ns = static_cast<std::uint64_t>(last_ - first_) +
	    profile_.period_ns;
	if (lost_ != 0)
		profile_.note = tools::amount(lost_, "event") + " lost";
	all_.stacks = all.size();
	for (const counted &c : all)
		all_.weight += c.weight;
	const std::size_t kept = most == 0 ? all.size() :
	    std::min<std::size_t>(most, all.size());
	std::partial_sort(all.begin(), all.begin() +
	    static_cast<std::ptrdiff_t>(kept), all.end(), weighs_more);
	all.resize(kept);
	std::size_t frames = 0, i = 0;
	for (; i < kept && frames < most_frames_of_all; i++) {
		put(all[i]);
		frames += profile_.stacks.back().frames.size();
	}
	if (i < kept)
		put_rest(all, i);
	std::reverse(profile_.stacks.begin(), profile_.stacks.end());
	return profile_;
}

} // namespace stackreport
