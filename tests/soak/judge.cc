// Compares the waits that were told with those that were noted.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "judge.h"

#include <algorithm>

#include <unistd.h>

#include <fmt/format.h>
#include <stack9_waits.h>

#include "kinds.h"
#include "moments.h"

namespace soak {

int
judge::actor_of(pid_t tid) const
{
	for (int i = 0; i < l_.actor_count; i++)
		if (l_.actors[i].tid.load() == tid)
			return i;
	return -1;
}

bool
judge::is_process(pid_t pid) const
{
	return std::find(l_.pids, l_.pids + l_.processes, pid) !=
	    l_.pids + l_.processes;
}

// A child has what its parent had open until it closes that.
bool
judge::is_child(pid_t pid, pid_t parent) const
{
	return std::any_of(l_.child_log, l_.child_log + children_kept,
	    [&](const born_child &c) {
		return c.pid == pid && c.parent == parent;
	});
}

bool
judge::owned(int number, const told_holder &h, span s) const
{
	const object &o = l_.objects[number];
	return each_turn(o, s, [&](const turn &t, span at) {
		const actor &a = l_.actors[t.actor];
		const bool same = is_file(o.kind) ? a.pid == h.pid ||
		    is_child(h.pid, a.pid) : a.tid.load() == h.tid;
		return same && !is_empty(common(at, s));
	});
}

// At one moment of the span the thread waited so, and that was the holder.
bool
judge::had(const wait &w, const told_holder &h, span s) const
{
	const span both = common(span_of(w), s);
	if (is_empty(both))
		return false;
	if (w.kind == thing::join || w.kind == thing::child)
		return h.tid == w.target;
	if (w.object < 0)
		return false;
	const object &o = l_.objects[w.object];
	if (has_owner(w.kind))
		return owned(w.object, h, both);
	// An end that the process has itself is none of another one.
	if (w.kind != thing::piped && w.kind != thing::paired &&
	    w.kind != thing::polled)
		return false;
	return o.writer >= 0 && (l_.pids[o.writer] == h.pid ? o.writer !=
	    o.reader : is_child(h.pid, l_.pids[o.writer]));
}

// Whether the words of the wait are of that thing.
bool
judge::is_for(const wait &w, const told_wait &told) const
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
	// The word that is waited for is told of what nobody owns.
	const std::uint64_t at = o.address.load();
	return at == 0 || told.address == at ||
	    told.kind == stack9_wait_text(STACK9_WAIT_FUTEX) ||
	    (!has_owner(w.kind) && told.address >= at &&
	    told.address < at + sizeof o.condition);
}

bool
judge::is_true(int who, const told_wait &told, const told_holder &h,
    span s) const
{
	return each_wait(l_.actors[who], s, [&](const wait &w) {
		return is_for(w, told) && had(w, h, s);
	});
}

// The wait that lasted all of the span, and some time before.
const wait *
judge::lasting(int who, span s) const
{
	constexpr std::uint64_t on_its_way = 20'000'000;
	const wait *found = nullptr;
	each_wait(l_.actors[who], s, [&](const wait &w) {
		const span at = span_of(w);
		if (at.begin + on_its_way < s.begin && at.end > s.end)
			found = &w;
		return true;
	});
	return found;
}

// The one who had the lock all of the span; -1: nobody, or several.
std::int32_t
judge::lasting_owner(const wait &w, span s) const
{
	std::int32_t found = -1;
	if (w.object < 0 || !has_owner(w.kind))
		return -1;
	each_turn(l_.objects[w.object], s, [&](const turn &t, span) {
		if (t.taken != 0 && t.taken < s.begin && (t.release == 0 ||
		    t.release > s.end))
			found = t.actor;
		return true;
	});
	return found;
}

void
judge::check_kind(int who, const told_wait &told, span s)
{
	const wait *const w = lasting(who, s);
	if (w == nullptr || is_on_the_way(told.kind) || told.moved ||
	    is_for(*w, told))
		return;
	// Without its user stack a call that was begun anew after a stop may
	// have no name, and the reason says so.
	if (is(told.kind, {STACK9_WAIT_SYSCALL}) && !told.reason.empty())
		return;
	fault(fmt::format("tid {} waits for {} {:#x} {}, it noted {} of object "
	    "{}", told.tid, told.kind, told.address, told.object,
	    stack9_wait_text(kinds_of(*w)[0]), w->object), s);
}

void
judge::check_found(int who, const told_wait &told, span s)
{
	const wait *const w = lasting(who, s);
	const std::int32_t owner = w == nullptr ? -1 : lasting_owner(*w, s);
	pid_t tid = 0, pid = 0;
	const char *what = "locks";
	if (owner >= 0) {
		tid = l_.actors[owner].tid.load();
		pid = l_.actors[owner].pid;
		if (is_file(w->kind))
			what = "files";
	} else if (w != nullptr && (w->kind == thing::join ||
	    w->kind == thing::child)) {
		tid = pid = w->target;
		what = "ends";
	} else if (w != nullptr && (w->kind == thing::piped ||
	    w->kind == thing::paired) && l_.objects[w->object].reader !=
	    l_.objects[w->object].writer) {
		pid = l_.pids[l_.objects[w->object].writer];
		what = "peers";
	} else {
		return;
	}
	const bool found = std::any_of(told.holders.begin(),
	    told.holders.end(), [&](const told_holder &h) {
		return h.tid == tid || h.pid == pid;
	});
	// A kernel stack alone proves no lock of a library, and a thread that
	// was stopped has run since.
	const bool knows = way_.find("kernel") == way_.npos &&
	    way_.find("-k") == way_.npos && way_.find("stop") == way_.npos;
	if (knows) {
		t_.count(fmt::format("stable, of {}", what));
		t_.count(fmt::format("{}, of {}", found ? "found" : "missed",
		    what));
	}
	if (knows && !found)
		t_.note(fmt::format("{}: tid {} waits for {} {:#x} {}{}, {}",
		    way_, told.tid, told.kind, told.address, told.object,
		    told.moved ? ", moved" : "", told.reason));
	t_.count(fmt::format("by way {}, {}", way_, found ? "found" :
	    "missed"));
}

// The holder notes a little later what it has done.
void
judge::of_wait(const told_wait &told, span s)
{
	const int who = actor_of(told.tid);
	if (who >= 0)
		check_kind(who, told, s);
	for (const told_holder &h : told.holders) {
		// Children of the program, and who traces it, are no actors.
		if (who < 0 || is(told.kind, {STACK9_WAIT_TRACER}))
			continue;
		t_.count("edges");
		bool is_so = is_true(who, told, h, s);
		for (int n = 0; n < 100 && !is_so; n++) {
			usleep(20'000);
			is_so = is_true(who, told, h, s);
		}
		if (!is_so)
			fault(fmt::format("tid {} waits for {} {:#x} {} of "
			    "tid {} of pid {}", told.tid, told.kind,
			    told.address, told.object, h.tid, h.pid), s);
	}
	if (who >= 0)
		check_found(who, told, s);
}

void
judge::of_holder(std::uint64_t address, pid_t pid, pid_t holder, span s)
{
	for (int i = 0; i < l_.object_count; i++) {
		const object &o = l_.objects[i];
		if (o.address.load() != address || !has_owner(o.kind) ||
		    (o.process >= 0 && l_.pids[o.process] != pid))
			continue;
		bool is_so = false;
		t_.count("holders of contended locks");
		for (int n = 0; n < 100 && !(is_so = owned(i, {holder, 0}, s));
		    n++)
			usleep(20'000);
		if (!is_so)
			fault(fmt::format("tid {} is said to have had {:#x}",
			    holder, address), s);
		return;
	}
}

void
judge::fault(const std::string &what, span s)
{
	t_.fault(fmt::format("{}: {} (in {} us)", way_, what,
	    (s.end - s.begin) / 1000));
}

} // namespace soak
