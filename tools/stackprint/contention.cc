// Counts over several looks who waits for a lock and who has it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "contention.h"

#include <algorithm>

#include "tools/lib/text.h"

namespace stackprint {
namespace {

bool
is_of_kernel(int kind)
{
	return kind >= STACK9_WAIT_KERNEL_MUTEX &&
	    kind <= STACK9_WAIT_KERNEL_RT_MUTEX;
}

bool
is_for_lock(const stack9_wait &w)
{
	return w.address != 0 && ((w.kind >= STACK9_WAIT_MUTEX &&
	    w.kind <= STACK9_WAIT_RWLOCK_WRITE) || is_of_kernel(w.kind) ||
	    w.kind == STACK9_WAIT_INTERPRETER ||
	    w.kind == STACK9_WAIT_MONITOR || w.kind == STACK9_WAIT_LOCK);
}

} // namespace

void
contention::add(const std::vector<found_wait> &all)
{
	std::set<const lock *> counted;
	for (const found_wait &w : all) {
		const stack9_thread &td = w.sample->thread;
		if ((w.wait.flags & STACK9_WAIT_MOVED) != 0)
			moved_.insert(td.tid);
		if (!is_for_lock(w.wait) ||
		    (w.wait.flags & STACK9_WAIT_MOVED) != 0)
			continue;
		lock &l = locks_[{is_of_kernel(w.wait.kind) ? 0 : td.pid,
		    w.wait.address}];
		if (l.text.empty())
			l.text = fmt::format("{} {:#x}{}", stack9_wait_text(
			    w.wait.kind), w.wait.address, w.place.empty() ?
			    "" : " (" + printable(w.place) + ")");
		l.pid = td.pid;
		l.waiters.insert(td.tid);
		l.changes |= (w.wait.flags & STACK9_WAIT_CHANGING) != 0;
		// All that wait in one pass name one holder.
		if (!w.holders.empty() && counted.insert(&l).second) {
			l.holders[w.holders[0].thread.tid]++;
			l.looks++;
		}
	}
}

std::vector<const contention::lock *>
contention::changing() const
{
	std::vector<const lock *> found;
	for (const auto &[where, l] : locks_)
		if (l.changes || l.holders.size() > 1 || std::any_of(
		    l.waiters.begin(), l.waiters.end(), [&](pid_t tid) {
			return moved_.count(tid) != 0;
		    }))
			found.push_back(&l);
	std::stable_sort(found.begin(), found.end(),
	    [](const lock *a, const lock *b) {
		return a->waiters.size() > b->waiters.size();
	    });
	return found;
}

bool
contention::has(const found_wait &w) const
{
	const auto all = changing();
	const auto it = locks_.find({is_of_kernel(w.wait.kind) ? 0 :
	    w.sample->thread.pid, w.wait.address});
	return it != locks_.end() && std::find(all.begin(), all.end(),
	    &it->second) != all.end();
}

} // namespace stackprint
