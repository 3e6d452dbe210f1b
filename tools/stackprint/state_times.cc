// Puts into words how long a thread is in its state: by the kernel's numbers,
// or without them since when it is watched.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "state_times.h"

#include <algorithm>

#include <fmt/format.h>

#include "printer.h"
#include "tools/lib/time_text.h"
#include "tracker.h"

namespace stackprint {
namespace {

constexpr std::uint64_t ms = 1'000'000;

// Two numbers that a person takes for one.
bool
are_close(std::uint64_t least, std::uint64_t high)
{
	return high - least <= std::max(100 * ms, high / 20);
}

std::uint64_t
watched_ns(const tracked &t)
{
	return t.now.when_ns - std::min(t.watched_ns, t.now.when_ns);
}

} // namespace

std::string
span_text(std::uint64_t ns)
{
	return ns < 1000 * ms ? fmt::format("{} ms", ns / ms) :
	    duration_text(ns);
}

std::string
state_time_text(const tracked &t)
{
	const std::uint64_t least = t.now.since_ns, high = t.now.since_most_ns;
	if (high != 0 && are_close(least, high))
		return "for " + span_text(least);
	if (high != 0)
		return "for " + span_text(least) + " to " +
		    span_text(high);
	if (least != 0)
		return "for at least " + span_text(least);
	// Nobody knows it but by having watched.
	if (watched_ns(t) == 0)
		return {};
	return "for at least " + span_text(watched_ns(t)) +
	    ", since it is watched";
}

// Gives NULL if the thread has run between the sample and the pass.
const tracked *
state_times::found(const thread_facts &s) const
{
	const tracked *const t = tracker_.of(s.thread);
	return t == nullptr || (s.switches != 0 && s.switches !=
	    t->now.switches) ? nullptr : t;
}

std::string
state_times::text(const thread_facts &s) const
{
	const tracked *const t = found(s);
	const std::string text = t == nullptr ? std::string() :
	    state_time_text(*t);
	return text.empty() ? text : ", " + text;
}

// The shortest and the longest time.
std::string
state_times::text(const std::vector<thread_facts> &all) const
{
	std::uint64_t least = UINT64_MAX, high = 0, watched = UINT64_MAX;
	for (const thread_facts &m : all) {
		const tracked *const t = found(m);
		if (t == nullptr)
			return {};
		least = std::min(least, t->now.since_ns);
		high = std::max({high, t->now.since_ns,
		    t->now.since_most_ns});
		watched = std::min(watched, watched_ns(*t));
	}
	if (least == 0)
		return watched == 0 ? "" : ", for at least " +
		    span_text(watched) + ", since they are watched";
	return ", for " + span_text(least) + (are_close(least, high) ? "" :
	    " to " + span_text(high));
}

std::string
state_times::members(const thread_facts &s) const
{
	const tracked *const t = found(s);
	std::string text;
	if (t == nullptr)
		return text;
	text = fmt::format(",\"switches\":{},\"watched_ns\":{}",
	    t->now.switches, watched_ns(*t));
	if (t->now.since_ns != 0)
		text += fmt::format(",\"since_ns\":{}", t->now.since_ns);
	if (t->now.since_most_ns != 0)
		text += fmt::format(",\"since_most_ns\":{}",
		    t->now.since_most_ns);
	return text;
}

} // namespace stackprint
