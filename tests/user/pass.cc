// Makes a pass over a process, and checks its order.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core_calls.h"
#include "pass.h"

#include <set>

#include <fmt/format.h>

pass::pass(stack9_side wanted, pid_t pid, const each_fn &also) : side(wanted)
{
	struct context {
		pass		&to;
		const each_fn	&also;
	} c{*this, also};
	error = core::each(wanted, pid,
	    [](void *arg, const stack9::stack_record *rec) {
		    auto &[to, more] = *static_cast<context *>(arg);
		    kept &k = to.all.emplace_back();
		    k.rec = *rec;
		    if (rec->pcs != nullptr)
			    k.pcs = {rec->pcs, rec->pcs + rec->depth};
		    if (to.in == nullptr && rec->space != nullptr)
			    to.in.reset(stack9_space_hold(rec->space));
		    return more ? more(*rec) : 0;
	    }, &c);
}

std::string
pass::disorder() const
{
	std::set<std::pair<pid_t, stack9_side>> seen;
	pid_t last = 0;
	for (const kept &k : all) {
		const pid_t tid = k.rec.thread.tid;
		const stack9_side s = k.rec.side;
		if (!(s & side) || s == STACK9_BOTH)
			return fmt::format("{}: not a side wanted", tid);
		if (!seen.insert({tid, s}).second)
			return fmt::format("{}: twice", tid);
		if (side == STACK9_BOTH && s == STACK9_USER && last != tid)
			return fmt::format("{}: the user's without the "
			    "kernel's before it", tid);
		if ((k.rec.error == 0) != (k.rec.depth > 0))
			return fmt::format("{}: error {}, depth {}", tid,
			    k.rec.error, k.rec.depth);
		if (k.rec.depth != k.pcs.size())
			return fmt::format("{}: frames without pcs", tid);
		if (k.rec.error != 0 && k.rec.why == STACK9_WHY_NONE)
			return fmt::format("{}: error {}, and no word why", tid,
			    k.rec.error);
		last = tid;
	}
	if (side == STACK9_BOTH && seen.size() % 2 != 0)
		return "a kernel's without the user's";
	return "";
}

std::multiset<pid_t>
pass::tids() const
{
	std::multiset<pid_t> found;
	for (const kept &k : all)
		found.insert(k.rec.thread.tid);
	return found;
}

const kept *
pass::of(pid_t tid, stack9_side wanted) const
{
	for (const kept &k : all)
		if (k.rec.thread.tid == tid && k.rec.side == wanted)
			return &k;
	return nullptr;
}
