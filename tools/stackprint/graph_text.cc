// Prints who waits for whom: deadlocks first, then the roots, those for which
// most threads wait first, and then what is not explained.  The stacks of all
// come last, for they are long.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "graph_text.h"

#include <algorithm>
#include <map>
#include <utility>

#include "printer.h"
#include "tools/lib/proc.h"
#include "tools/lib/text.h"

namespace stackprint {
namespace {

// It runs, or sleeps where no signal ends it: for a disk or a page.
bool
is_busy(const found_wait &w)
{
	return w.wait.kind == STACK9_WAIT_NONE || w.has_moved() ||
	    w.sample->state == 'D' ||
	    w.wait.kind == STACK9_WAIT_FAULT ||
	    w.wait.kind == STACK9_WAIT_FILE_PAGE ||
	    w.wait.kind == STACK9_WAIT_SWAP;
}

} // namespace

std::string
graph_text::name(std::size_t i) const
{
	const auto &n = nodes_[i];
	if (n.wait == nullptr)
		return fmt::format("{}  pid {}, any of its {} threads",
		    printable(read_file(fmt::format("/proc/{}/comm", n.pid))),
		    n.pid, n.threads);
	const sample &s = *n.wait->sample;
	return fmt::format("{}  pid {}  tid {}", thread_names(s.comm,
	    s.name.c_str()), n.pid, s.thread.tid);
}

// The thread and its wait.
std::string
graph_text::line(std::size_t i) const
{
	const found_wait *const w = nodes_[i].wait;
	const std::string wait = w == nullptr ? "" : waits_.timed_text(*w);
	return name(i) + (w != nullptr && w->has_moved() ?
	    "  moved meanwhile" : !wait.empty() ? "  waits for " + wait :
	    w != nullptr && w->wait.kind == STACK9_WAIT_NONE ? "  runs" : "") +
	    "\n";
}

// Threads that wait for the same are many, so those after the first few are
// counted.
void
graph_text::put_tree(std::string &text, std::size_t root,
    const std::string &indent, bool polls)
{
	constexpr std::size_t most = 10, most_indent = 200;
	std::size_t shown = 0;
	list waiters = nodes_[root].waiters;
	if (polls)
		waiters.insert(waiters.end(), nodes_[root].pollers.begin(),
		    nodes_[root].pollers.end());
	for (const std::size_t i : waiters) {
		const bool again = in_[i] != 0;
		if (nodes_[i].in_cycle || in_[i] == tree_)
			continue;
		in_[i] = tree_;
		if (++shown > most || indent.size() > most_indent)
			continue;
		text += indent + line(i);
		if (!again)
			put_tree(text, i, indent + "  ", polls);
	}
	if (shown > most)
		text += fmt::format("{}and {} more threads\n", indent,
		    shown - most);
}

void
graph_text::put_cycles(const put_fn &put, const stacks_fn &stacks)
{
	for (const list &c : graph_.cycles_) {
		tree_++;
		std::string text = graph_.cycle_title(c) + "\n";
		for (const std::size_t i : c)
			text += fmt::format("  tid {} waits for {}\n",
			    all_[i].sample->thread.tid,
			    waits_.timed_text(all_[i]));
		for (const std::size_t i : c) {
			std::string tree;
			put_tree(tree, i, "    ", false);
			if (!tree.empty())
				text += fmt::format("  for tid {} wait\n",
				    all_[i].sample->thread.tid) + tree;
		}
		for (const std::size_t i : c)
			text += stacks(*all_[i].sample);
		put(text);
	}
}

void
graph_text::put_roots(bool polls, const put_fn &put,
    const stacks_fn &stacks)
{
	std::vector<std::pair<std::size_t, std::size_t>> roots;
	for (std::size_t i = 0; i < nodes_.size(); i++)
		if (graph_.is_root(i, polls))
			roots.push_back(
			    {graph_.waiters_below(i, polls).size(), i});
	std::stable_sort(roots.begin(), roots.end(),
	    [](const auto &a, const auto &b) { return a.first > b.first; });
	for (const auto &[count, i] : roots) {
		in_[i] = ++tree_;
		std::string text = fmt::format("root: {} wait{} for it, "
		    "directly or not\n", amount(count, "thread"),
		    count == 1 ? "s" : "") + line(i);
		put_tree(text, i, "  ", polls);
		if (nodes_[i].wait != nullptr)
			text += stacks(*nodes_[i].wait->sample);
		put(text);
	}
}

// The holders that were seen most come first.
void
graph_text::put_contended(const put_fn &put) const
{
	constexpr std::size_t most = 4, most_locks = 10;
	std::string text;
	std::size_t count = 0;
	for (const contention::lock *const l : graph_.seen_.changing()) {
		std::vector<std::pair<std::size_t, pid_t>> holders;
		if (++count > most_locks)
			break;
		for (const auto &[tid, seen] : l->holders)
			holders.push_back({seen, tid});
		std::stable_sort(holders.begin(), holders.end(),
		    [](const auto &a, const auto &b) {
			return a.first > b.first;
		    });
		text += fmt::format("contended: {} of pid {} wait{} often for "
		    "{}; {}", amount(l->waiters.size(), "thread"), l->pid,
		    l->waiters.size() == 1 ? "s" : "", l->text,
		    holders.empty() ? "no holder was seen" : "holders seen: ");
		for (std::size_t i = 0; i < std::min(holders.size(), most); i++)
			text += fmt::format("{}tid {} ({}) {} of {}",
			    i == 0 ? "" : ", ", holders[i].second,
			    waits_.name_of(holders[i].second),
			    holders[i].first, l->looks);
		if (holders.size() > most)
			text += fmt::format(" and {} more",
			    holders.size() - most);
		text += "\n";
	}
	if (!text.empty())
		put(text);
}

// Threads of one process that wait for the same share a line.
void
graph_text::put_unexplained(const put_fn &put, const stacks_fn &stacks)
{
	constexpr std::size_t most = 20;
	std::map<std::pair<pid_t, std::string>, std::size_t> lines;
	std::vector<list> equal;
	std::size_t count = 0, left_out = 0;
	for (std::size_t i = 0; i < nodes_.size(); i++) {
		if (!graph_.is_unexplained(i))
			continue;
		count++;
		const auto [it, is_new] = lines.try_emplace({nodes_[i].pid,
		    waits_.untimed_text(all_[i])}, equal.size());
		if (is_new)
			equal.emplace_back();
		equal[it->second].push_back(i);
	}
	if (count == 0)
		return;
	std::string text = fmt::format("not explained: {} wait{} for what "
	    "nobody is known to hold\n", amount(count, "thread"),
	    count == 1 ? "s" : "");
	for (std::size_t l = 0; l < equal.size(); l++) {
		const std::size_t first = equal[l].front();
		tree_++;
		if (l >= most) {
			left_out += equal[l].size();
			continue;
		}
		text += "  " + (equal[l].size() == 1 ? line(first) :
		    fmt::format("{}  and {} more wait for {}\n", name(first),
		    equal[l].size() - 1, waits_.untimed_text(all_[first])));
		for (const std::size_t i : equal[l])
			put_tree(text, i, "    ", true);
	}
	if (left_out != 0)
		text += fmt::format("  and {}\n", amount(left_out,
		    "more thread"));
	for (std::size_t l = 0; l < std::min(equal.size(), most); l++)
		text += stacks(*all_[equal[l].front()].sample);
	put(text);
}

// A person who asks about a few threads still learns what they wait for, and
// which of them are slow by themselves.
void
graph_text::put_own_waits(const put_fn &put, const stacks_fn &stacks,
    const std::string &title, std::size_t among) const
{
	constexpr std::size_t most = 10;
	std::size_t count = 0;
	list all, busy;
	for (std::size_t i = 0; i < among; i++)
		if (is_busy(all_[i]))
			busy.push_back(i);
	all = busy;
	for (std::size_t i = 0; i < among; i++)
		if (!is_busy(all_[i]) && !graph_.is_unexplained(i) &&
		    nodes_[i].holders == 0)
			all.push_back(i);
	std::string text = title + "\n";
	for (const std::size_t i : all)
		if (++count <= most)
			text += "  " + line(i);
	if (count > most)
		text += fmt::format("  and {}\n", amount(count - most,
		    "more thread"));
	if (!busy.empty()) {
		const pid_t pid = nodes_[busy.front()].pid;
		text += fmt::format("where the time goes: stackcount -p {0} "
		    "cpu-clock while it runs, stackcount -p {0} offcpu while "
		    "it sleeps\n", pid);
	}
	for (std::size_t i = 0; i < std::min(busy.size(), most); i++)
		text += stacks(*all_[busy[i]].sample);
	put(text);
}

// Returns true if what is printed so far names a thread that was asked for.
bool
graph_text::tells_of_asked() const
{
	for (std::size_t i = 0; i < waits_.asked(); i++)
		if (in_[i] != 0 || nodes_[i].in_cycle ||
		    graph_.is_unexplained(i))
			return true;
	return false;
}

void
graph_text::print(const put_fn &put, const stacks_fn &stacks)
{
	std::string below, edges;
	const put_fn keep = [&](std::string_view text) { edges += text; };
	const stacks_fn later = [&](const sample &s) {
		below += stacks(s);
		return std::string();
	};
	bool any = !graph_.cycles_.empty() || !graph_.seen_.changing().empty(),
	    any_edge = false;
	for (std::size_t i = 0; i < nodes_.size(); i++) {
		any = any || graph_.is_root(i, false) ||
		    graph_.is_root(i, true);
		any_edge = any_edge || nodes_[i].holders != 0;
	}
	put_cycles(keep, later);
	put_contended(keep);
	put_roots(false, keep, later);
	put_roots(true, keep, later);
	if (!any)
		put_own_waits(put, later, any_edge ?
		    "whom others wait for is not explained" :
		    "no thread is known to wait for another one", all_.size());
	else if (!tells_of_asked())
		put_own_waits(put, later, "no thread that was asked for is "
		    "known to wait for another one", waits_.asked());
	if (!edges.empty())
		put(edges);
	put_unexplained(put, later);
	if (!below.empty())
		put(below);
}

} // namespace stackprint
