// Answers whether something was so, by what the threads of a program noted.
//
// A thread has a lock at most from the beginning of its wait for it to the end
// of its turn.  So one that does not get on, because the machine has other
// work, may have a lock that it has not noted.  The answer is then "not yet",
// unless another one's turn shows that it had none.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "truths.h"

#include <algorithm>

#include <stack9_waits.h>

#include "kinds.h"

namespace soak {

int
truths::actor_of(pid_t tid) const
{
	for (int i = 0; i < l_.actor_count; i++)
		if (l_.actors[i].tid.load() == tid)
			return i;
	return -1;
}

// A child has what its parent had open until it closes that.
truths::family
truths::parent_of(pid_t pid, span s) const
{
	family f{0, truth::no};
	f.is = newest(l_.children, [&](std::uint32_t, const born_child &c) ->
	    std::optional<truth> {
		const pid_t its = c.pid.load();
		if (its == pid)
			f.parent = c.parent;
		return its == pid ? truth::yes : its == 0 && c.begin <= s.end ?
		    truth::not_yet : truth::no;
	});
	return f;
}

// Says whether it is that process, or a child of it.
truth
truths::is_of(pid_t pid, pid_t process, span s) const
{
	if (pid == process)
		return truth::yes;
	if (std::find(l_.pids, l_.pids + l_.processes, pid) !=
	    l_.pids + l_.processes)
		return truth::no;
	const family f = parent_of(pid, s);
	return f.is == truth::yes && f.parent != process ? truth::no : f.is;
}

// The lock of a file is reported as its process's, and of those who share it.
truth
truths::is_actor(int who, const object &o, const said_holder &h, span s) const
{
	const actor &a = l_.actors[who];
	if (is_file(o.kind))
		return is_of(h.pid, a.pid, s);
	return a.tid.load() == h.tid ? truth::yes : truth::no;
}

// Returns true if it is on its way to a turn that is not noted: its last wait
// ends after that.  Nobody gets a lock whose owner keeps it.
bool
truths::may_take(int number, const said_holder &h, span s) const
{
	const object &o = l_.objects[number];
	for (int i = 0; i < l_.actor_count; i++) {
		const auto &waits = l_.actors[i].waits;
		const std::uint32_t n = waits.count.load();
		if (n == 0 || is_actor(i, o, h, s) == truth::no)
			continue;
		const wait &w = waits.of(n - 1);
		if (w.what.object == number && w.what.begin <= s.end &&
		    w.end.load() == 0)
			return true;
	}
	return false;
}

truth
truths::owned(int number, const said_holder &h, span s) const
{
	const object &o = l_.objects[number];
	const bool may = may_take(number, h, s);	// before its turns
	bool kept = false;
	const truth found = each_turn(o, s, [&](const turn &t, span at) {
		const truth its = is_actor(t.actor, o, h, s);
		kept = kept || (its == truth::no && t.taken <= s.begin &&
		    (t.release == 0 || t.release >= s.end));
		return is_empty(common(at, s)) ? truth::no : its;
	});
	return found == truth::no && may && !kept ? truth::not_yet : found;
}

truth
truths::had(const noted &w, const said_holder &h, span s) const
{
	if (w.kind == thing::join || w.kind == thing::child)
		return h.tid == w.target ? truth::yes : truth::no;
	if (w.object < 0)
		return truth::no;
	const object &o = l_.objects[w.object];
	if (has_owner(w.kind))
		return owned(w.object, h, s);
	// An end that the process has itself is none of another one.
	if ((w.kind != thing::piped && w.kind != thing::paired &&
	    w.kind != thing::polled) || o.writer < 0 ||
	    (o.writer == o.reader && h.pid == l_.pids[o.writer]))
		return truth::no;
	return is_of(h.pid, l_.pids[o.writer], s);
}

bool
truths::is_for(const noted &w, const said_wait &told) const
{
	const std::vector<int> kinds = kinds_of(w);
	if (std::none_of(kinds.begin(), kinds.end(), [&](int k) {
		return told.kind == stack9_wait_text(k);
	}))
		return false;
	if (w.object < 0)
		return true;
	const object &o = l_.objects[w.object];
	if (is_file(o.kind))
		return told.object == o.path;
	// For what nobody owns the word that is waited for is reported.
	const std::uint64_t at = o.address.load();
	return at == 0 || told.address == at ||
	    told.kind == stack9_wait_text(STACK9_WAIT_FUTEX) ||
	    (!has_owner(w.kind) && told.address >= at &&
	    told.address < at + sizeof o.condition);
}

truth
truths::waits_for(int who, const said_wait &told, const said_holder &h,
    span s) const
{
	return each_wait(l_.actors[who], s, [&](const noted &w, span at) {
		return is_for(w, told) ? had(w, h, common(at, s)) : truth::no;
	});
}

std::optional<noted>
truths::lasting(int who, span s) const
{
	constexpr std::uint64_t on_its_way = 20'000'000;
	noted found{};
	return each_wait(l_.actors[who], s, [&](const noted &w, span at) {
		if (at.begin + on_its_way >= s.begin || at.end <= s.end)
			return truth::no;
		found = w;
		return truth::yes;
	}) == truth::yes ? std::optional(found) : std::nullopt;
}

int
truths::lasting_owner(const noted &w, span s) const
{
	int found = -1;
	if (w.object < 0 || !has_owner(w.kind))
		return -1;
	return each_turn(l_.objects[w.object], s, [&](const turn &t, span) {
		if (t.taken > s.begin || (t.release != 0 && t.release < s.end))
			return truth::no;
		found = t.actor;
		return truth::yes;
	}) == truth::yes ? found : -1;
}

} // namespace soak
