// Stops the threads of a process together and delivers their copies in the
// order of /proc.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "copies.h"

#include <cstdio>
#include <new>
#include <vector>

#include "os/task_directory.h"
#include <unistd.h>

#include "stopped_process.h"
#include "target.h"

namespace stack9::tracing {
namespace {

constexpr std::size_t arena_most = 256 << 20, arena_least = 64 << 20;
constexpr int runs = 3;

// The threads in the order of /proc; error and reason are set for those that
// are not to be traced.
using targets = std::vector<stack_record>;

stack_record
unread_target(pid_t pid, pid_t tid) noexcept
{
	stack_record rec{};
	rec.thread = {tid, pid, 0};
	rec.side = STACK9_USER;
	rec.route = "ptrace";
	rec.cpu = -1;
	rec.state = '?';
	return rec;
}

stack_record
read_target(pid_t pid, pid_t tid) noexcept
{
	stack_record rec = unread_target(pid, tid);
	const stack9_thread td = rec.thread;
	target who;
	rec.error = who.open(td, rec);
	return rec;
}

// Adds the threads that are to be stopped to what.  A leader can be dead while
// its threads live.
int
read_targets(pid_t pid, int tasks, all_work &what, targets &all) noexcept
{
	try {
		each_task(tasks, [&](pid_t tid) {
			if (!what.is_new(tid))
				return true;
			all.push_back(read_target(pid, tid));
			if (all.back().error == 0)
				what.add(tid);
			return true;
		});
		return all.empty() ? ESRCH : 0;
	} catch (const std::bad_alloc &) {
		return ENOMEM;
	}
}

// Explains why nothing of this thread was copied.
int
refuse(const stopped_thread &h, bool killed, stack_record &rec) noexcept
{
	target who;
	stack_record fresh = rec;
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
	of(const stopped_thread &h, bool killed, stack_record &rec) noexcept
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
	refused(stack_record &rec) noexcept
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
	for (const stopped_thread &h : what.all())
		if (h.error != EPERM || h.at != step::seizing)
			return false;
	return true;
}

run_end
run(all_work &what, arena &memory) noexcept
{
	run_end end = run_end::killed;
	for (int i = 0; i < runs && end == run_end::killed; i++) {
		end = run_as_process(what, memory, 300 * millisecond);
		if (end == run_end::killed && !what.pass_over_last())
			break;
	}
	if (end == run_end::never || (end == run_end::done &&
	    all_are_refused(what) && target::ancestors_may()))
		end = run_as_thread(what);
	return end;
}

int
deliver_all(pid_t pid, targets &all, std::span<const stopped_thread> stopped,
    bool killed, delivery &d) noexcept
{
	std::size_t i = 0;
	for (stack_record &rec : all) {
		const int stop = rec.error != 0 ? d.refused(rec) :
		    d.of(stopped[i++], killed, rec);
		if (stop != 0)
			return stop;
	}
	for (; i < stopped.size(); i++) {
		stack_record rec = read_target(pid, stopped[i].tid);
		// The thread may have ended again; its copy is good.
		if (stopped[i].error == 0)
			rec.error = 0;
		const int stop = rec.error != 0 ? d.refused(rec) :
		    d.of(stopped[i], killed, rec);
		if (stop != 0)
			return stop;
	}
	return 0;
}

// Opens the memory of the process through the first thread that lives.  A
// leader that is dead has none, and until Linux 6.14 its file opens and reads
// as empty.
void
open_memory(const targets &all, target &living, source &from) noexcept
{
	for (const stack_record &rec : all)
		if (stack_record unused = rec; rec.error == 0 &&
		    living.open(rec.thread, unused) == 0) {
			living.open_memory(from, unused);
			return;
		}
}

int
stop_and_deliver(pid_t pid, int tasks, delivery &d) noexcept
{
	arena memory(arena_least, arena_most);
	if (!memory.is_there())
		return ENOMEM;
	source from;
	all_work what(pid, tasks, from, memory);
	if (!what.is_ready())
		return ENOMEM;
	targets all;
	target living;
	if (const int error = read_targets(pid, tasks, what, all); error != 0)
		return error;
	open_memory(all, living, from);
	const run_end end = what.all().empty() ? run_end::done :
	    run(what, memory);
	if (end == run_end::never)
		return EAGAIN;
	const int stop = deliver_all(pid, all, what.all(),
	    end == run_end::killed, d);
	return stop != 0 ? stop : what.has_all() ? 0 : ENOMEM;
}

} // namespace

int
copy_process(pid_t pid, sides_sink to, void *arg) noexcept
{
	char path[32];
	proc_file tasks;
	target leader;
	stack_record first = unread_target(pid, pid);
	leader.open({pid, pid, 0}, first);
	if (first.thread.pid != pid)	// no process, but a thread of one
		return ESRCH;
	std::snprintf(path, sizeof path, "/proc/%d/task", pid);
	if (const int error = tasks.open(AT_FDCWD, path, O_RDONLY |
	    O_DIRECTORY); error != 0)
		return error;
	delivery d(to, arg);
	return stop_and_deliver(pid, tasks.get(), d);
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
