// Compares the waits that were reported with those that were noted.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "judge.h"

#include <algorithm>
#include <optional>

#include <unistd.h>

#include <fmt/format.h>
#include <stack9_waits.h>

#include "kinds.h"

namespace soak {
namespace {

// Waits for what a thread has still to note.  A machine with other work may
// keep it from that for long.
template <class F>
truth
until_known(F ask)
{
	constexpr int most = 6000;
	truth t = ask();
	for (int n = 0; n < most && t == truth::not_yet; n++) {
		usleep(20'000);
		t = ask();
	}
	return t;
}

} // namespace

// A note of so long ago may be overwritten.
bool
judge::is_so(truth t, const char *what)
{
	if (t == truth::forgotten)
		t_.count(fmt::format("forgotten, of {}", what));
	return t == truth::yes || t == truth::forgotten;
}

void
judge::check_kind(int who, const said_wait &told, span s)
{
	const std::optional<noted> w = known_.lasting(who, s);
	if (!w.has_value() || is_on_the_way(told.kind) || told.moved ||
	    known_.is_for(*w, told))
		return;
	// Without its user stack a call that was begun again after a stop may
	// have no name, and the reason says so.
	if (is(told.kind, {STACK9_WAIT_SYSCALL}) && !told.reason.empty())
		return;
	fault(fmt::format("tid {} waits for {} {:#x} {}, it noted {} of object "
	    "{}", told.tid, told.kind, told.address, told.object,
	    stack9_wait_text(kinds_of(*w)[0]), w->object), s);
}

void
judge::check_found(int who, const said_wait &told, span s)
{
	const std::optional<noted> w = known_.lasting(who, s);
	if (!w.has_value())
		return;
	const int owner = known_.lasting_owner(*w, s);
	pid_t tid = 0, pid = 0;
	const char *what = "locks";
	if (owner >= 0) {
		tid = l_.actors[owner].tid.load();
		pid = l_.actors[owner].pid;
		if (is_file(w->kind))
			what = "files";
	} else if (w->kind == thing::join || w->kind == thing::child) {
		tid = pid = w->target;
		what = "ends";
	} else if ((w->kind == thing::piped || w->kind == thing::paired) &&
	    l_.objects[w->object].reader != l_.objects[w->object].writer) {
		pid = l_.pids[l_.objects[w->object].writer];
		what = "peers";
	} else {
		return;
	}
	const bool found = std::any_of(told.holders.begin(),
	    told.holders.end(), [&](const said_holder &h) {
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

void
judge::of_wait(const said_wait &told, span s)
{
	const int who = known_.actor_of(told.tid);
	if (who >= 0)
		check_kind(who, told, s);
	for (const said_holder &h : told.holders) {
		// Children of the program, and who traces it, are not actors.
		if (who < 0 || is(told.kind, {STACK9_WAIT_TRACER}))
			continue;
		t_.count("edges");
		const truth t = until_known([&] {
			return known_.waits_for(who, told, h, s);
		});
		if (!is_so(t, "edges"))
			fault(fmt::format("tid {} waits for {} {:#x} {} of "
			    "tid {} of pid {}{}", told.tid, told.kind,
			    told.address, told.object, h.tid, h.pid,
			    t == truth::not_yet ? ", not noted" : ""), s);
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
		t_.count("holders of contended locks");
		const truth t = until_known([&] {
			return known_.owned(i, {holder, 0}, s);
		});
		if (!is_so(t, "holders"))
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
