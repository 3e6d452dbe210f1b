// Draws who waits for whom: deadlocks first, each member with its stacks, then
// the roots, those for which most threads wait first.  A thread that polls may
// wait for something else, so roots that only such threads lead to come last.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "wait_graph.h"

#include <algorithm>
#include <utility>

#include "printer.h"
#include "tools/lib/json.h"
#include "tools/lib/text.h"

namespace stackprint {

namespace {

bool
is_poll(const found_wait &w)
{
	return w.wait.kind == STACK9_WAIT_POLL ||
	    w.wait.kind == STACK9_WAIT_EPOLL;
}

} // namespace

// A thread that waits for one of several cannot be said to wait for each.  A
// thread's process stands for its first thread.
wait_graph::wait_graph(const found_waits &waits)
    : waits_(waits), all_(waits.all()), waiters_(all_.size()),
      pollers_(all_.size()), next_(all_.size()), in_cycle_(all_.size())
{
	for (std::size_t i = 0; i < all_.size(); i++) {
		const bool polls = is_poll(all_[i]);
		next_[i] = i;
		for (const stack9_holder &h : all_[i].holders) {
			const found_wait *const w = waits_.of(h.thread.tid);
			if (w == nullptr)
				continue;
			const auto to = static_cast<std::size_t>(
			    w - all_.data());
			if (to != i)
				(polls ? pollers_ : waiters_)[to].push_back(i);
			if (all_[i].holders.size() == 1 && !polls)
				next_[i] = to;
		}
	}
	find_cycles();
}

// Each thread waits for at most one, so a walk that comes back to a thread of
// its own has found a cycle.
void
wait_graph::find_cycles()
{
	std::vector<std::size_t> walk(all_.size());
	for (std::size_t i = 0; i < all_.size(); i++) {
		std::size_t at = i;
		while (walk[at] == 0 && next_[at] != at) {
			walk[at] = i + 1;
			at = next_[at];
		}
		if (walk[at] != i + 1 || in_cycle_[at] || next_[at] == at)
			continue;
		list members;
		for (; !in_cycle_[at]; at = next_[at]) {
			in_cycle_[at] = true;
			members.push_back(at);
		}
		cycles_.push_back(std::move(members));
	}
}

wait_graph::list
wait_graph::waiters_below(std::size_t root, bool polls) const
{
	std::vector<bool> seen(all_.size());
	list found{root};
	seen[root] = true;
	const auto add = [&](const list &l) {
		for (const std::size_t w : l)
			if (!seen[w]) {
				seen[w] = true;
				found.push_back(w);
			}
	};
	for (std::size_t i = 0; i < found.size(); i++) {
		add(waiters_[found[i]]);
		if (polls)
			add(pollers_[found[i]]);
	}
	found.erase(found.begin());
	return found;
}

std::string
wait_graph::name(std::size_t i) const
{
	const stack9_sample &s = *all_[i].sample;
	return fmt::format("{}  pid {}  tid {}", printable(s.comm),
	    s.thread.pid, s.thread.tid);
}

// A cycle is a deadlock if nobody else can end any of its waits.
std::string
wait_graph::cycle_title(const list &members) const
{
	bool sure = true;
	for (const std::size_t i : members)
		sure = sure && (all_[i].wait.flags &
		    (STACK9_WAIT_ALL_HOLDERS | STACK9_WAIT_TIMED)) ==
		    STACK9_WAIT_ALL_HOLDERS;
	return fmt::format("{} of {} thread{}", sure ? "deadlock" :
	    "circle of waits, which may still end,", members.size(),
	    members.size() == 1 ? "" : "s");
}

// Threads that wait for the same are many, so those after the first few are
// counted.
void
wait_graph::put_tree(std::string &text, std::size_t root,
    const std::string &indent, bool polls, drawn &trees) const
{
	constexpr std::size_t most = 10, most_indent = 200;
	std::size_t shown = 0;
	list waiters = waiters_[root];
	if (polls)
		waiters.insert(waiters.end(), pollers_[root].begin(),
		    pollers_[root].end());
	for (const std::size_t i : waiters) {
		const bool again = trees.in[i] != 0;
		if (in_cycle_[i] || trees.in[i] == trees.tree)
			continue;
		trees.in[i] = trees.tree;
		if (++shown > most || indent.size() > most_indent)
			continue;
		text += fmt::format("{}{}  waits for {}\n", indent, name(i),
		    waits_.timed_text(all_[i]));
		if (!again)
			put_tree(text, i, indent + "  ", polls, trees);
	}
	if (shown > most)
		text += fmt::format("{}and {} more threads\n", indent,
		    shown - most);
}

void
wait_graph::print_json(const std::function<void(std::string_view)> &put) const
{
	const auto tids = [&](const list &l, const list &more) {
		std::string text;
		for (const list *const part : {&l, &more})
			for (const std::size_t i : *part)
				text += fmt::format("{}{}",
				    text.empty() ? "" : ",",
				    all_[i].sample->thread.tid);
		return "[" + text + "]";
	};
	for (std::size_t i = 0; i < all_.size(); i++) {
		const stack9_sample &s = *all_[i].sample;
		if (all_[i].holders.empty() && waiters_[i].empty() &&
		    pollers_[i].empty())
			continue;
		put(fmt::format("{{\"schema\":1,\"tid\":{},\"pid\":{},{},"
		    "\"wait\":{},\"waiters\":{}}}\n", s.thread.tid,
		    s.thread.pid, json_member("comm", s.comm),
		    waits_.object(all_[i]), tids(waiters_[i], pollers_[i])));
	}
	for (const list &c : cycles_)
		put(fmt::format("{{\"schema\":1,\"cycle\":{},{}}}\n",
		    tids(c, {}), json_member("title", cycle_title(c))));
}

bool
wait_graph::is_root(std::size_t i, bool polls) const
{
	if (in_cycle_[i] || !waiters_[i].empty() == polls)
		return false;
	return polls ? !pollers_[i].empty() && all_[i].holders.empty() :
	    all_[i].holders.empty() || is_poll(all_[i]);
}

void
wait_graph::put_roots(bool polls, drawn &trees,
    const std::function<void(std::string_view)> &put,
    const std::function<std::string(const stack9_sample &)> &stacks) const
{
	std::vector<std::pair<std::size_t, std::size_t>> roots;
	for (std::size_t i = 0; i < all_.size(); i++)
		if (is_root(i, polls))
			roots.push_back({waiters_below(i, polls).size(), i});
	// A thread that polls is shown once, below a root that nobody has named
	// if there is one: a server rather than the process that started it.
	if (polls)
		std::reverse(roots.begin(), roots.end());
	std::stable_sort(roots.begin(), roots.end(),
	    [](const auto &a, const auto &b) { return a.first > b.first; });
	for (const auto &[count, i] : roots) {
		// A thread that polls is shown once, below the first root.
		if (polls && std::all_of(pollers_[i].begin(),
		    pollers_[i].end(), [&](std::size_t p) {
			return trees.in[p] != 0;
		    }))
			continue;
		trees.in[i] = ++trees.tree;
		std::string text = fmt::format("root: {} thread{} wait{} for "
		    "it, directly or not\n", count, count == 1 ? "" : "s",
		    count == 1 ? "s" : "") + stacks(*all_[i].sample);
		const std::string own = waits_.timed_text(all_[i]);
		if (!own.empty())
			text += "  it waits for " + own + "\n";
		put_tree(text, i, "  ", polls, trees);
		put(text);
	}
}

void
wait_graph::print(bool json, const std::function<void(std::string_view)> &put,
    const std::function<std::string(const stack9_sample &)> &stacks) const
{
	drawn trees{list(all_.size()), 0};
	if (json)
		return print_json(put);
	for (const list &c : cycles_) {
		trees.tree++;
		std::string text = cycle_title(c) + "\n";
		for (const std::size_t i : c)
			text += fmt::format("  tid {} waits for {}\n",
			    all_[i].sample->thread.tid,
			    waits_.timed_text(all_[i]));
		for (const std::size_t i : c) {
			text += stacks(*all_[i].sample);
			put_tree(text, i, "  ", false, trees);
		}
		put(text);
	}
	put_roots(false, trees, put, stacks);
	put_roots(true, trees, put, stacks);
	bool any = !cycles_.empty();
	for (std::size_t i = 0; i < all_.size(); i++)
		any = any || is_root(i, false) || is_root(i, true);
	if (!any)
		put("no thread is known to wait for another one\n" +
		    own_waits());
}

// A person who asks about a few threads still learns what they wait for.
std::string
wait_graph::own_waits() const
{
	constexpr std::size_t most = 10;
	std::string text;
	std::size_t count = 0;
	for (std::size_t i = 0; i < all_.size(); i++) {
		if (all_[i].wait.kind == STACK9_WAIT_NONE)
			continue;
		if (++count <= most)
			text += fmt::format("  {}  waits for {}\n", name(i),
			    waits_.timed_text(all_[i]));
	}
	if (count > most)
		text += fmt::format("  and {} more thread{}\n", count - most,
		    count == most + 1 ? "" : "s");
	return text;
}

} // namespace stackprint
