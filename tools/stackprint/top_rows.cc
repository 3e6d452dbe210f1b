// Makes the rows of --top.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "top_rows.h"

#include <algorithm>
#include <set>

#include "state_times.h"
#include "tools/lib/text.h"

namespace stackprint {
namespace {

constexpr int wide = 100;	// columns that have room for all fields

struct counted {
	const group	*g;
	std::string	 frames, shown, names, identity;
	std::uint64_t	 longest = 0;	// in its state, at least
	std::size_t	 ran = 0;	// threads, since the last pass
};

bool
has_user_side(const sample &s)
{
	return s.user.has_value() && s.user->depth() != 0;
}

// The functions from the innermost on, those of the scheduler left out.
// in_short: only the innermost one of the kernel, so that there is room for
// those of the program.
std::string
frames_of(const sample &s, const view &how, bool in_short)
{
	std::string text;
	const auto add = [&](const std::string &name) {
		text += (text.empty() || text.ends_with("| ") ? "" : " < ") +
		    (name.empty() ? "??" : printable(name));
	};
	for (const std::optional<stack> *const side : {&s.kernel, &s.user}) {
		const bool kernel = side == &s.kernel;
		if (!side->has_value())
			continue;
		if (!kernel && !text.empty())
			text += " | ";
		const bool one = in_short && kernel && has_user_side(s);
		std::vector<const place *> places;
		if (!(*side)->pcs.empty())
			how.all.of_stack(**side, places);
		for (const place *p : places)
			if ((!kernel || !is_scheduler(linkage_of(p->own()))) &&
			    !(one && !text.empty()))
				add(p->own().name);
		for (const char *const line : (*side)->text)
			if (!(one && !text.empty()))
				add(line);
	}
	return text.empty() ? "(no stack)" : text;
}

std::string
names_of(const group &g)
{
	std::set<std::string> all;
	std::string text;
	for (const thread_facts &m : g.members)
		if (all.insert(m.comm).second)
			text += (text.empty() ? "" : ",") + printable(m.comm);
	return text;
}

std::string
state_of(const group &g)
{
	const char first = g.members.front().state;
	for (const thread_facts &m : g.members)
		if (m.state != first)
			return "mixed";
	return state_word(first);
}

std::uint64_t
time_of(pid_t tid, const tracker &all)
{
	const tracked *const t = all.of({tid, 0, 0});
	return t == nullptr ? 0 : t->now.since_ns != 0 ? t->now.since_ns :
	    t->now.when_ns - std::min(t->watched_ns, t->now.when_ns);
}

// Threads of the kernel mostly sleep.  They come after those of programs that
// did not run either.
bool
is_livelier(const counted &a, const counted &b)
{
	return a.ran != b.ran ? a.ran > b.ran :
	    has_user_side(*a.g->sample) && !has_user_side(*b.g->sample);
}

bool
comes_before(const counted &a, const counted &b, top_order order)
{
	return order == top_order::ran ? is_livelier(a, b) :
	    order == top_order::time ? a.longest > b.longest :
	    order == top_order::name && a.names < b.names;
}

std::vector<counted>
counted_groups(groups &all, const tracker &t, const view &how,
    top_order order)
{
	std::vector<counted> list;
	std::set<pid_t> moved;
	for (const tracked *const m : t.moved())
		moved.insert(m->now.thread.tid);
	for (const group *const g : all.by_count()) {
		counted c{g, frames_of(*g->sample, how, false),
		    frames_of(*g->sample, how, true), names_of(*g), {}};
		c.identity = c.frames;
		for (const thread_facts &m : g->members) {
			const pid_t tid = m.thread.tid;
			c.longest = std::max(c.longest, time_of(tid, t));
			c.ran += moved.count(tid);
		}
		list.push_back(std::move(c));
	}
	// by_count() has sorted them already.
	std::stable_sort(list.begin(), list.end(),
	    [&](const counted &a, const counted &b) {
		return comes_before(a, b, order);
	});
	return list;
}

std::string
row_of(const counted &c, std::size_t all, int columns)
{
	const std::string percent = fmt::format("{:.1f}", 100.0 *
	    static_cast<double>(c.g->members.size()) /
	    static_cast<double>(all));
	if (columns < wide)
		return fmt::format("{:>6} {:>5} {:<8.8} {}",
		    c.g->members.size(), percent, c.names, c.shown);
	return fmt::format("{:>6} {:>5}  {:<10} {:>10}  {:<15.15}  {}",
	    c.g->members.size(), percent, state_of(*c.g),
	    c.longest != 0 ? span_text(c.longest) : "", c.names,
	    c.shown);
}

} // namespace

std::string
group_heading(int columns)
{
	return columns < wide ?
	    fmt::format("{:>6} {:>5} {:<8} {}", "COUNT", "%", "NAME",
	    "STACK") :
	    fmt::format("{:>6} {:>5}  {:<10} {:>10}  {:<15}  {}", "COUNT", "%",
	    "STATE", "LONGEST", "NAME", "STACK");
}

std::string
thread_heading()
{
	return fmt::format("{:>8} {:>8}  {:<15}  {:<10}  {}", "TID", "PID",
	    "NAME", "STATE", "");
}

std::vector<top_row>
group_rows(groups &all, const tracker &t, const view &how, top_order order,
    const std::string &search, int columns)
{
	std::vector<top_row> rows;
	for (const counted &c : counted_groups(all, t, how, order))
		if (search.empty() ||
		    c.frames.find(search) != c.frames.npos ||
		    c.names.find(search) != c.names.npos)
			rows.push_back({row_of(c, t.all().size(), columns),
			    c.identity});
	return rows;
}

std::vector<top_row>
thread_rows(groups &all, const tracker &t, const view &how, top_order order,
    const std::string &identity)
{
	std::vector<top_row> rows;
	for (const counted &c : counted_groups(all, t, how, order)) {
		if (c.identity != identity)
			continue;
		for (const thread_facts &m : c.g->members) {
			const tracked *const td = t.of({m.thread.tid, 0, 0});
			rows.push_back({fmt::format(
			    "{:>8} {:>8}  {:<15.15}  {:<10}  {}", m.thread.tid,
			    m.thread.pid,
			    printable(m.comm), state_word(m.state),
			    td != nullptr ? state_time_text(*td) : ""), {},
			    m.thread.tid});
		}
	}
	if (order == top_order::time)
		std::stable_sort(rows.begin(), rows.end(),
		    [&](const top_row &a, const top_row &b) {
			return time_of(a.tid, t) > time_of(b.tid, t);
		});
	return rows;
}

std::vector<top_row>
text_rows(const std::string &text)
{
	std::vector<top_row> rows;
	for (std::size_t at = 0; at < text.size();) {
		const std::size_t end = std::min(text.find('\n', at),
		    text.size());
		rows.push_back({text.substr(at, end - at), {}});
		at = end + 1;
	}
	return rows;
}

} // namespace stackprint
