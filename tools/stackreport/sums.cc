// Counts a thread when it changes, not at each tick: a thread that sleeps for
// an hour costs nothing meanwhile.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "sums.h"

#include <algorithm>

#include "tools/record/records.h"

namespace stackreport {

sums::sums(const options &o, const interval &when)
    : opt_(o), when_(when), frames_(o, profile_), wanted_(o)
{
	profile_.event = "threads";
	profile_.unit = "samples";
	profile_.command = o.line;
	profile_.filter = o.text();
}

std::size_t
sums::hash::operator()(const key &k) const
{
	return (std::uint64_t{k.kernel} << 32 ^ std::uint64_t{k.user} << 12 ^
	    k.comm) * 0x9e3779b97f4a7c15 >> 13;
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
	segment_.clear();
	return true;
}

std::uint32_t
sums::comm_of(const recording::segment &s, std::uint32_t thread)
{
	if (thread > comms_.size())
		comms_.resize(s.threads().size());
	std::uint32_t &known = comms_[thread - 1];
	if (known != 0)
		return known - 1;
	const std::string &comm = s.thread_of(thread).comm;
	const auto [at, fresh] = comm_numbers_.try_emplace(comm,
	    static_cast<std::uint32_t>(comm_names_.size()));
	if (fresh)
		comm_names_.push_back(comm);
	known = at->second + 1;
	return at->second;
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
	segment_[{opt_.wants_kernel() ? was->kernel : 0,
	    opt_.wants_user() ? was->user : 0, comm_of(s, thread)}] += ticks;
}

bool
sums::at(const recording::segment &s, const recording::tick &t)
{
	const std::int64_t now = recording::wall_ns(t);
	for (const std::uint32_t thread : t.gone)
		add(s, thread);
	for (const recording::change &c : t.changes)
		add(s, c.thread);
	for (const recording::name_change &n : t.names) {
		add(s, n.thread);
		wanted_.forget(n.thread);
		if (n.thread <= comms_.size())
			comms_[n.thread - 1] = 0;
	}
	if (now > when_.to)
		return false;
	if (now < when_.from)
		return true;
	ticks_++;
	if (all_ticks_++ == 0)
		first_ = now;
	last_ = now;
	return true;
}

void
sums::end(const recording::segment &s, bool)
{
	for (std::uint32_t n = 1; n <= s.threads().size(); n++)
		add(s, n);
	for (const auto &[k, ticks] : segment_)
		all_[frames_.of(s, k.kernel, k.user, comm_names_[k.comm])] +=
		    ticks;
}

profiles::profile &
sums::finish()
{
	profile_.began_ns = static_cast<std::uint64_t>(first_);
	profile_.took_ns = static_cast<std::uint64_t>(last_ - first_) +
	    profile_.period_ns;
	for (const auto &[list, ticks] : all_) {
		profiles::stack &to = profile_.stacks.emplace_back();
		to.frames = list;
		to.events = to.weight = ticks;
	}
	auto &stacks = profile_.stacks;
	std::stable_sort(stacks.begin(), stacks.end(),
	    [](const profiles::stack &a, const profiles::stack &b) {
		return a.weight < b.weight;
	});
	return profile_;
}

} // namespace stackreport
