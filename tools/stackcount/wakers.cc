// Puts the frames of a waker after those of the thread that it woke, the other
// way round, so that both meet where the one wakes the other.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "wakers.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tools/lib/text.h"

namespace stackcount {
namespace {

using events::frames;
using profiles::frame_kind;
using tools::append, tools::amount, tools::printable;

std::string
with_pid(const std::string &name, pid_t pid, const events::options &o)
{
	return o.by_process && pid != 0 ? fmt::format("{} [{}]", name, pid) :
	    name;
}

std::string
name_of(const stack9_sample &s)
{
	return *s.comm == '\0' ? "[unknown process]" : s.comm;
}

// Only idle tasks have no number and wake without an interrupt.
outermost
waker_of(const stack9_sample &s)
{
	switch (s.waking) {
	case STACK9_WAKER_THREAD:
		return s.waker->thread.pid == 0 ? outermost{"swapper", 0} :
		    outermost{name_of(*s.waker), s.waker->thread.pid};
	case STACK9_WAKER_INTERRUPT:
		return {"[interrupt]", 0};
	case STACK9_WAKER_UNKNOWN:
		return {"[unknown waker]", 0};
	}
	return {"[no waker seen]", 0};
}

std::uint32_t
named(frames &all, const outermost &who, const events::options &o)
{
	return all.marker(who.name[0] == '[' ? frame_kind::note :
	    frame_kind::process, with_pid(who.name, who.pid, o));
}

void
append_stack(const stack9_sample *s, frames &all, frames::list &to)
{
	frames::list own;
	if (s != nullptr)
		all.add(*s, own);
	to.insert(to.end(), own.begin(), own.end());
}

} // namespace

outermost
add_with_waker(const stack9_sample &s, const events::options &o, frames &all,
    frames::list &to)
{
	const outermost blocked{name_of(s), s.thread.pid}, waker = waker_of(s);
	if (o.wakers == "graph") {
		to.push_back(named(all, waker, o));
		return blocked;
	}
	if (o.wakers == "only") {
		to.push_back(named(all, blocked, o));
		append_stack(s.waker, all, to);
		return waker;
	}
	append_stack(s.waker, all, to);
	to.push_back(named(all, waker, o));
	std::reverse(to.begin(), to.end());
	to.push_back(all.marker(frame_kind::delimiter, "--"));
	append_stack(&s, all, to);
	return blocked;
}

// The most is last, as in every text of stackcount.
void
write_wait_graph(fmt::memory_buffer &out, const profiles::profile &p)
{
	struct blocked {
		std::uint64_t	us = 0, events = 0;
		std::vector<const profiles::stack *> by;
	};
	std::map<std::string, blocked> all;
	for (const profiles::stack &s : p.stacks) {
		blocked &b = all[p.frames[s.frames.front()].name];
		b.us += s.weight;
		b.events += s.events;
		b.by.push_back(&s);
	}
	std::vector<std::pair<std::string, blocked>> sorted(all.begin(),
	    all.end());
	std::stable_sort(sorted.begin(), sorted.end(),
	    [](const auto &a, const auto &b) {
		    return a.second.us < b.second.us;
	    });
	for (const auto &[name, b] : sorted) {
		append(out, "{}  {} us, {}\n", printable(name), b.us,
		    amount(b.events, "event"));
		for (auto s = b.by.rbegin(); s != b.by.rend(); ++s)
			append(out, "  {:>5.1f} %  {:>12} us  {}, {}\n",
			    100.0 * static_cast<double>((*s)->weight) /
			    static_cast<double>(std::max<std::uint64_t>(b.us,
			    1)), (*s)->weight,
			    printable(p.frames[(*s)->frames.back()].name),
			    amount((*s)->events, "event"));
		out.push_back('\n');
	}
}

} // namespace stackcount
