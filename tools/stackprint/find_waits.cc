// Finds the waits of samples, and tries again for threads that have moved.
// Stack, wait and holder of a thread are of one moment, or none is given.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <chrono>
#include <new>
#include <utility>

#include "contention.h"
#include "waits.h"

namespace stackprint {
namespace {

using clock = std::chrono::steady_clock;

// The holder of a thread that has moved is of another moment than its stacks.
int
add_wait(void *arg, const stack9_wait *w) noexcept
{
	auto &all = *static_cast<std::vector<found_wait> *>(arg);
	const bool moved = (w->flags & STACK9_WAIT_MOVED) != 0;
	try {
		found_wait &made = all.emplace_back();
		made.wait = *w;
		made.object = w->object;
		made.call = w->call;
		made.reason = w->reason;
		made.place = w->place;
		made.holders.assign(w->holder, w->holder +
		    (moved ? 0 : w->holders));
		return 0;
	} catch (const std::bad_alloc &) {
		return 1;
	}
}

int
sides_of(const sample &s)
{
	return (s.kernel.has_value() ? STACK9_KERNEL : 0) |
	    (s.user.has_value() ? STACK9_USER : 0);
}

std::size_t
unsettled(const std::vector<found_wait> &all)
{
	std::size_t count = 0;
	for (const found_wait &w : all)
		count += w.is_unsettled();
	return count;
}

} // namespace

sample_ptr
found_waits::capture(const stack9_thread &td, int sides) const
{
	stack9_save_options o{};
	stack9_sample *s = nullptr;
	if (!samples_.empty() && samples_[0]->user.has_value() &&
	    is_of_core(*samples_[0]->user))
		return {};	// a core has no other moment
	o.size = sizeof o;
	o.frames = depth_;
	o.flags = STACK9_SAVE_LANGUAGES;
	stack9_save(&td, sides, &o, &s);
	return s != nullptr ? owned(s) : sample_ptr();
}

int
found_waits::find_once()
{
	std::vector<const stack9_sample *> samples;
	for (const sample_ptr &s : samples_)
		samples.push_back(s->captured.get());
	all_.clear();
	all_.reserve(samples.size());
	by_tid_.clear();
	by_tid_.reserve(samples.size());
	const int error = stack9_waits(samples.data(),
	    static_cast<std::uint32_t>(samples.size()), 0, add_wait, &all_);
	for (std::size_t i = 0; i < all_.size(); i++) {
		all_[i].sample = samples_[i];
		by_tid_[samples_[i]->thread.tid] = i;
	}
	return error;
}

// False: all holders are there already.
bool
found_waits::capture_holders()
{
	const std::size_t before = samples_.size();
	for (const found_wait &w : all_)
		for (const stack9_holder &h : w.holders)
			if (by_tid_.try_emplace(h.thread.tid, 0).second)
				if (sample_ptr s = capture(h.thread,
				    STACK9_BOTH))
					samples_.push_back(std::move(s));
	return samples_.size() != before;
}

// All waits are found again once the holders are there, so that the whole graph
// is of one moment.
int
found_waits::find(const std::vector<sample_ptr> &samples, bool more)
{
	constexpr int most_rounds = 64;
	samples_ = samples;
	for (int round = 0;; round++) {
		if (const int error = find_once(); error != 0)
			return error;
		if (!more || round == most_rounds || !capture_holders())
			return 0;
	}
}

// Captures those again that have moved.  No stack is given up for less of one:
// a thread that moves cannot always be read.
void
found_waits::capture_moved(std::chrono::steady_clock::time_point until)
{
	for (std::size_t i = 0; i < all_.size() && clock::now() < until; i++)
		if (all_[i].has_moved())
			if (sample_ptr s = capture(samples_[i]->thread,
			    sides_of(*samples_[i])); s != nullptr &&
			    outcome_of(*s) <= outcome_of(*samples_[i]))
				samples_[i] = std::move(s);
}

// Keeps the pass during which most threads did not move, and counts each pass.
int
found_waits::find_settled(const std::vector<sample_ptr> &samples, bool more,
    contention &seen)
{
	constexpr int most_tries = 100;
	constexpr std::chrono::milliseconds most_time(200);
	asked_ = samples.size();
	if (const int error = find(samples, more); error != 0)
		return error;
	std::size_t fewest = unsettled(all_);
	if (fewest == 0)
		return 0;	// and no lock has changed hands
	const auto until = clock::now() + most_time;
	found_waits best = *this;
	seen.add(all_);
	for (int i = 0; i < most_tries && fewest != 0 && clock::now() < until;
	    i++) {
		capture_moved(until);
		if (find(std::vector(samples_), more) != 0)
			break;
		seen.add(all_);
		if (const std::size_t now = unsettled(all_); now < fewest) {
			fewest = now;
			best = *this;
		}
	}
	*this = std::move(best);
	return 0;
}

} // namespace stackprint
