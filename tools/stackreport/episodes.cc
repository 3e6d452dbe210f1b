// Compares the times since which threads have not run.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "episodes.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "text.h"
#include "tools/lib/text.h"
#include "tools/record/records.h"

namespace stackreport {
namespace {

constexpr std::uint64_t usual_episodes = 20;

} // namespace

bool
history::begin(const recording::segment_info &info)
{
	if (info.boot_id != boot_)
		reported_.clear();
	boot_ = info.boot_id;
	wanted_.begin();
	return true;
}

void
history::put(const recording::segment &s, std::int64_t now,
    std::uint32_t number, const recording::thread_state &st)
{
	const recording::thread &t = s.thread_of(number);
	std::uint64_t &reported = reported_[{t.tid, t.start}];
	if (reported == st.since_ns)
		return;
	reported = st.since_ns;
	const std::string kernel = innermost(s, st.kernel, opt_.raw_names);
	std::string user = innermost(s, st.user, opt_.raw_names);
	const std::string written = innermost_written(s, st.user);
	// It may be the innermost function of all.
	if (!written.empty())
		user = (user.empty() || written.starts_with(user + " (") ? "" :
		    user + "  < ") + written;
	const std::string wait = wait_text(s.wait_of(st));
	text_ += fmt::format("{}  {:7} {:15} {}{}{}{}{}{}\n",
	    tools::moment_text(now), t.tid,
	    tools::thread_names(t.comm, t.name.c_str()),
	    tools::state_word(st.state),
	    st.cpu < 0 ? "" : fmt::format(", cpu {}", st.cpu),
	    kernel.empty() ? "" : "  ", kernel,
	    user.empty() ? "" : "  < " + user,
	    wait.empty() ? "" : "  waits for " + wait);
}

bool
history::at(const recording::segment &s, const recording::tick &t)
{
	const std::int64_t now = recording::wall_ns(t);
	if (now > opt_.when.to)
		return false;
	for (const recording::name_change &n : t.names)
		wanted_.forget(n.thread);
	if (now < opt_.when.from)
		return true;
	for (const std::uint32_t n : t.gone)
		if (wanted_.thread(s, n))
			text_ += fmt::format("{}  {:7} {:15} ended\n",
			    tools::moment_text(now), s.thread_of(n).tid,
			    tools::thread_names(s.thread_of(n).comm,
			    s.thread_of(n).name.c_str()));
	for (const recording::change &c : t.changes)
		if (wanted_.thread(s, c.thread) && wanted_.state(s, c.now))
			put(s, now, c.thread, c.now);
	return true;
}

// A thread that waits for work is not stuck; one in disk sleep may be.
stuck::stuck(const options &o)
    : opt_(o), wanted_(opt_), frames_(opt_, profile_)
{
	if (opt_.states.empty())
		opt_.states = "D";
	if (opt_.top == 0)
		opt_.top = usual_episodes;
}

bool
stuck::begin(const recording::segment_info &info)
{
	boot_ = info.boot_id;
	wanted_.begin();
	frames_.begin();
	in_time_ = false;
	return true;
}

// As many as are shown stay, of many equal ones too.  Otherwise each further
// one of these would lead here again.
void
stuck::forget_short_ones()
{
	std::vector<std::uint64_t> lengths;
	for (const auto &[k, e] : all_)
		lengths.push_back(e.ns);
	const auto last = lengths.begin() +
	    static_cast<std::ptrdiff_t>(opt_.top - 1);
	std::nth_element(lengths.begin(), last, lengths.end(),
	    std::greater<>());
	least_ = *last;
	auto equal = opt_.top - static_cast<std::size_t>(std::count_if(
	    lengths.begin(), lengths.end(),
	    [&](std::uint64_t ns) { return ns > least_; }));
	std::erase_if(all_, [&](const auto &each) {
		if (each.second.ns == least_ && equal != 0)
			equal--;
		else
			return each.second.ns <= least_;
		return false;
	});
}

void
stuck::add(const recording::segment &s, std::uint32_t number,
    std::uint64_t now, bool goes_on)
{
	const recording::thread_state *const was = s.state_of(number);
	if (was == nullptr || was->since_ns > now ||
	    now - was->since_ns < std::max<std::uint64_t>(least_, 1) ||
	    !wanted_.thread(s, number) || !wanted_.state(s, *was))
		return;
	const recording::thread &t = s.thread_of(number);
	episode &e = all_[{boot_, t.tid, t.start, was->since_ns}];
	e.ns = now - was->since_ns;
	e.since = static_cast<std::int64_t>(was->since_ns) +
	    s.wall_minus_boot();
	e.comm = t.comm;
	e.name = t.name;
	e.tid = t.tid;
	e.pid = s.process_of(number).pid;
	e.state = was->state;
	e.wait = wait_text(s.wait_of(*was));
	e.goes_on = goes_on;
	e.frames = frames_.of(s, was->kernel, was->user);
	if (all_.size() > opt_.top * 8)
		forget_short_ones();
}

bool
stuck::at(const recording::segment &s, const recording::tick &t)
{
	const std::int64_t now = recording::wall_ns(t);
	if (now > opt_.when.to)
		return false;
	for (const recording::name_change &n : t.names)
		wanted_.forget(n.thread);
	if (!opt_.when.has(now))
		return true;
	in_time_ = true;
	for (const std::uint32_t n : t.gone)
		add(s, n, t.boot_ns, false);
	for (const recording::change &c : t.changes)
		add(s, c.thread, t.boot_ns, false);
	return true;
}

void
stuck::end(const recording::segment &s, bool)
{
	for (std::uint32_t n = 1; in_time_ && n <= s.threads().size(); n++)
		add(s, n, s.boot_ns(), true);
}

std::string
stuck::text() const
{
	std::vector<const episode *> list;
	for (const auto &[k, e] : all_)
		list.push_back(&e);
	std::stable_sort(list.begin(), list.end(),
	    [](const episode *a, const episode *b) { return a->ns > b->ns; });
	if (list.size() > opt_.top)
		list.resize(opt_.top);
	std::string text;
	for (const episode *e : list)
		text += fmt::format("{}{}  {}  pid {}  tid {}  {}, from {}\n"
		    "{}{}\n", tools::duration_text(e->ns),
		    e->goes_on ? " and on" : "",
		    tools::thread_names(e->comm, e->name.c_str()), e->pid,
		    e->tid,
		    tools::state_word(e->state),
		    tools::moment_text(e->since), e->wait.empty() ? "" :
		    "  waits   for " + e->wait + "\n",
		    stack_text(profile_, e->frames));
	return text + fmt::format("{} in the states {}\n",
	    tools::amount(list.size(), "wait"), opt_.states);
}

} // namespace stackreport
