// See all.h.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "all.h"

#include <cstdio>
#include <new>
#include <vector>

#include "core/seam/thread.h"
#include <unistd.h>

#include "all_held.h"
#include "one.h"
#include "target.h"
#include "words.h"

namespace stack9::tracing {
namespace {

constexpr std::size_t room_most = 256 << 20, room_least = 64 << 20;
constexpr int runs = 3;

// Who they are, in the order of /proc, and what to say of those that are not to
// be traced.
using people = std::vector<stack9_record>;

stack9_record
nobody_yet(pid_t pid, pid_t tid) noexcept
{
	stack9_record rec{};
	rec.thread = {tid, pid, 0};
	rec.side = STACK9_USER;
	rec.route = "ptrace";
	rec.cpu = -1;
	rec.state = '?';
	return rec;
}

stack9_record
meet(pid_t pid, pid_t tid) noexcept
{
	stack9_record rec = nobody_yet(pid, tid);
	const stack9_thread td = rec.thread;
	target who;
	rec.error = who.open(td, rec);
	return rec;
}

// Those that are to be held are added to what.  A leader can be dead and its
// threads alive.
int
meet_all(pid_t pid, int tasks, all_work &what, people &all) noexcept
{
	try {
		each_task(tasks, [&](pid_t tid) {
			if (!what.is_new(tid))
				return true;
			all.push_back(meet(pid, tid));
			if (all.back().error == 0)
				what.add(tid);
			return true;
		});
		return all.empty() ? ESRCH : 0;
	} catch (const std::bad_alloc &) {
		return ENOMEM;
	}
}

// Of whom nothing could be copied.
int
refuse(const held &h, bool killed, stack9_record &rec) noexcept
{
	target who;
	stack9_record fresh = rec;
	if (const int error = who.open(rec.thread, fresh); error != 0) {
		rec = fresh;
		return error;
	}
	return killed ? who.refuse_killed(h.at, rec) :
	    who.refuse(h.error, h.at, rec);
}

class delivery {
public:
	delivery(sides_sink to, void *arg) noexcept : to_(to), arg_(arg) {}

	int
	of(const held &h, bool killed, stack9_record &rec) noexcept
	{
		copy_.clear();
		rec.when_ns = h.when_ns;
		if (!killed && h.at == step::copying)
			rec.error = say(rec, EAGAIN, STACK9_WHY_LATE, nullptr);
		else if (killed || h.error != 0)
			rec.error = refuse(h, killed, rec);
		else if (h.stack.size == 0)
			rec.error = say(rec, EAGAIN, STACK9_WHY_MEMORY,
			    nullptr);
		else if (deliver(h, copy_) != 0)
			rec.error = say(rec, ENOMEM, STACK9_WHY_RESOURCE,
			    "no memory for a copy of the stack");
		return refused(rec);
	}
	int
	refused(stack9_record &rec) noexcept
	{
		sides s{nullptr, rec, copy_};
		return to_(arg_, s);
	}

private:
	const sides_sink	to_;
	void			*const arg_;
	user_copy		copy_;
};

bool
all_are_refused(const all_work &what) noexcept
{
	for (const held &h : what.all())
		if (h.error != EPERM || h.at != step::seizing)
			return false;
	return true;
}

ending
run(all_work &what, room &memory) noexcept
{
	ending end = ending::killed;
	for (int i = 0; i < runs && end == ending::killed; i++) {
		end = run_as_process(what, memory, 300 * millisecond);
		if (end == ending::killed && !what.pass_over_last())
			break;
	}
	if (end == ending::never || (end == ending::done &&
	    all_are_refused(what) && target::ancestors_may()))
		end = run_as_thread(what);
	return end;
}

int
tell(pid_t pid, people &all, std::span<const held> held_ones, bool killed,
    delivery &d) noexcept
{
	std::size_t i = 0;
	for (stack9_record &rec : all) {
		const int stop = rec.error != 0 ? d.refused(rec) :
		    d.of(held_ones[i++], killed, rec);
		if (stop != 0)
			return stop;
	}
	for (; i < held_ones.size(); i++) {
		stack9_record rec = meet(pid, held_ones[i].tid);
		// It may have gone again: what was copied of it stands.
		if (held_ones[i].error == 0)
			rec.error = 0;
		const int stop = rec.error != 0 ? d.refused(rec) :
		    d.of(held_ones[i], killed, rec);
		if (stop != 0)
			return stop;
	}
	return 0;
}

int
hold_and_tell(pid_t pid, int tasks, const source &from, delivery &d) noexcept
{
	room memory(room_least, room_most);
	if (!memory.is_there())
		return ENOMEM;
	all_work what(pid, tasks, from, memory);
	if (!what.is_ready())
		return ENOMEM;
	people all;
	if (const int error = meet_all(pid, tasks, what, all); error != 0)
		return error;
	const ending end = what.all().empty() ? ending::done :
	    run(what, memory);
	if (end == ending::never)
		return EAGAIN;
	const int stop = tell(pid, all, what.all(), end == ending::killed, d);
	return stop != 0 ? stop : what.has_all() ? 0 : ENOMEM;
}

} // namespace

int
copy_process(pid_t pid, sides_sink to, void *arg) noexcept
{
	char path[32];
	proc_file tasks;
	target leader;
	source from;
	stack9_record first = nobody_yet(pid, pid), unused{};
	leader.open({pid, pid, 0}, first);
	if (first.thread.pid != pid)	// no process, but a thread of one
		return ESRCH;
	std::snprintf(path, sizeof path, "/proc/%d/task", pid);
	if (const int error = tasks.open(AT_FDCWD, path, O_RDONLY |
	    O_DIRECTORY); error != 0)
		return error;
	leader.open_memory(from, unused);
	delivery d(to, arg);
	return hold_and_tell(pid, tasks.get(), from, d);
}

int
copy_machine(sides_sink to, void *arg) noexcept
{
	proc_file proc;
	if (const int error = proc.open(AT_FDCWD, "/proc",
	    O_RDONLY | O_DIRECTORY); error != 0)
		return error;
	int stop = 0;
	each_task(proc.get(), [&](pid_t pid) {
		stop = copy_process(pid, to, arg);
		if (stop == ESRCH)
			stop = 0;
		return stop == 0;
	});
	return stop;
}

} // namespace stack9::tracing
