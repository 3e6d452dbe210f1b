// Finds who waits for whom, the deadlocks, and the roots: those for whom others
// wait, and who wait for nobody.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "wait_graph.h"

#include <utility>

#include <fmt/ranges.h>

#include "printer.h"
#include "tools/lib/json.h"
#include "tools/lib/proc.h"
#include "tools/lib/text.h"

namespace stackprint {
namespace {

bool
is_poll(const found_wait &w)
{
	return w.wait.kind == STACK9_WAIT_POLL ||
	    w.wait.kind == STACK9_WAIT_EPOLL;
}

// A lock, a semaphore or the like that a thread has to give up or to signal.
bool
is_for_a_thread(int kind)
{
	return kind == STACK9_WAIT_MONITOR || kind == STACK9_WAIT_LOCK ||
	    (kind >= STACK9_WAIT_FUTEX && kind <= STACK9_WAIT_BARRIER) ||
	    (kind >= STACK9_WAIT_KERNEL_MUTEX &&
	    kind <= STACK9_WAIT_KERNEL_RT_MUTEX);
}

} // namespace

wait_graph::wait_graph(const found_waits &waits, const contention &seen)
    : waits_(waits), seen_(seen), all_(waits.all()), nodes_(all_.size())
{
	for (std::size_t i = 0; i < all_.size(); i++) {
		nodes_[i].wait = &all_[i];
		nodes_[i].pid = all_[i].sample->thread.pid;
	}
	for (std::size_t i = 0; i < all_.size(); i++)
		add_edges(i);
	find_cycles();
}

// A process with one thread is that thread.  Any thread of another one may be
// the holder, so what its first thread waits for says nothing.
std::size_t
wait_graph::holder_of(const stack9_holder &h)
{
	const found_wait *const w = waits_.of(h.thread.tid);
	if (w == nullptr)
		return nobody;
	const auto thread = static_cast<std::size_t>(w - all_.data());
	stat_facts facts;
	if ((h.flags & STACK9_HOLDER_PROCESS) == 0)
		return thread;
	const auto known = processes_.find(h.thread.pid);
	if (known != processes_.end())
		return known->second;
	const bool one = !read_stat(h.thread.pid, 0, facts) ||
	    facts.threads == 1;
	if (!one) {
		node &process = nodes_.emplace_back();
		process.pid = h.thread.pid;
		process.threads = facts.threads;
	}
	return processes_.try_emplace(h.thread.pid, one ? thread :
	    nodes_.size() - 1).first->second;
}

// A thread that any of several may wake cannot be said to wait for one of them,
// so there is no edge.
void
wait_graph::add_edges(std::size_t i)
{
	const found_wait &w = all_[i];
	const bool polls = is_poll(w);
	if (w.is_woken_by_any())
		return;
	for (const stack9_holder &h : w.holders) {
		const std::size_t to = holder_of(h);
		if (to == nobody)
			continue;
		nodes_[i].holders++;
		if (to != i)
			(polls ? nodes_[to].pollers : nodes_[to].waiters).
			    push_back(i);
		if (w.holders.size() == 1 && !polls)
			nodes_[i].next = to;
	}
}

// Each thread waits for at most one, so a walk that comes back to a thread of
// its own has found a cycle.  A thread may also wait for itself.
void
wait_graph::find_cycles()
{
	list walk(nodes_.size());
	for (std::size_t i = 0; i < nodes_.size(); i++) {
		std::size_t at = i;
		while (at != nobody && walk[at] == 0) {
			walk[at] = i + 1;
			at = nodes_[at].next;
		}
		if (at == nobody || walk[at] != i + 1 || nodes_[at].in_cycle)
			continue;
		list members;
		for (; !nodes_[at].in_cycle; at = nodes_[at].next) {
			nodes_[at].in_cycle = true;
			members.push_back(at);
		}
		cycles_.push_back(std::move(members));
	}
}

bool
wait_graph::is_unexplained(std::size_t i) const
{
	const found_wait *const w = nodes_[i].wait;
	return w != nullptr && w->holders.empty() && !w->has_moved() &&
	    is_for_a_thread(w->wait.kind) &&
	    (!w->is_unsettled() || !seen_.has(*w));
}

bool
wait_graph::is_root(std::size_t i, bool polls) const
{
	const node &n = nodes_[i];
	if (n.in_cycle || !n.waiters.empty() == polls || is_unexplained(i))
		return false;
	return polls ? !n.pollers.empty() && n.holders == 0 :
	    n.holders == 0 || is_poll(*n.wait);
}

wait_graph::list
wait_graph::waiters_below(std::size_t root, bool polls) const
{
	std::vector<bool> seen(nodes_.size());
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
		add(nodes_[found[i]].waiters);
		if (polls)
			add(nodes_[found[i]].pollers);
	}
	found.erase(found.begin());
	return found;
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
	return fmt::format("{} of {}{}", sure ? "deadlock" :
	    "circle of waits, which may still end,",
	    amount(members.size(), "thread"),
	    members.size() == 1 ? ", which waits for itself" : "");
}

void
wait_graph::print_json(const put_fn &put) const
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
	for (std::size_t i = 0; i < nodes_.size(); i++) {
		const node &n = nodes_[i];
		const std::string waiters = tids(n.waiters, n.pollers);
		if (n.wait == nullptr) {
			put(fmt::format("{{\"schema\":1,\"process\":{},"
			    "\"threads\":{},\"waiters\":{}}}\n", n.pid,
			    n.threads, waiters));
			continue;
		}
		const sample &s = *n.wait->sample;
		const bool unexplained = is_unexplained(i);
		if (n.wait->holders.empty() && n.waiters.empty() &&
		    n.pollers.empty() && !unexplained)
			continue;
		put(fmt::format("{{\"schema\":1,\"tid\":{},\"pid\":{},{},"
		    "\"wait\":{},\"waiters\":{}{}}}\n", s.thread.tid,
		    s.thread.pid, json_member("comm", s.comm),
		    wait_object(*n.wait), waiters,
		    unexplained ? ",\"explained\":false" : ""));
	}
	for (const list &c : cycles_)
		put(fmt::format("{{\"schema\":1,\"cycle\":{},{}}}\n",
		    tids(c, {}), json_member("title", cycle_title(c))));
	for (const contention::lock *const l : seen_.changing()) {
		std::string holders;
		for (const auto &[tid, seen] : l->holders)
			holders += fmt::format("{}{{\"tid\":{},\"seen\":{}}}",
			    holders.empty() ? "" : ",", tid, seen);
		put(fmt::format("{{\"schema\":1,{},\"pid\":{},\"waiters\":[{}],"
		    "\"looks\":{},\"holders\":[{}]}}\n", json_member(
		    "contended", l->text), l->pid, fmt::join(l->waiters, ","),
		    l->looks, holders));
	}
}

} // namespace stackprint
