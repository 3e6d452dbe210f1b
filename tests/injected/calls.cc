// Offers calls of the library, each from its beginning to its end.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "calls.h"

#include <cerrno>
#include <chrono>
#include <vector>

#include <stack9_async.h>
#include <stack9_coroutines.h>
#include <stack9_waits.h>
#include <stack9_watch.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim.h"
#include "whole.h"

namespace {

int
find(pid_t pid)
{
	stack9_thread td{}, list[8];
	std::uint32_t count = 0;
	if (const int error = stack9_thread_find(pid, &td); error != 0)
		return error;
	if (const int error = stack9_thread_list(&td, list, 8, &count);
	    error != 0)
		return error;
	return count == threads_looked_at ? 0 : -1;
}

// fn may look at the sample.
int
save(pid_t pid, int side, int (*fn)(const stack9_sample *) = nullptr)
{
	const stack9_thread td{pid, pid, 0};
	stack9_sample *s = nullptr;
	using clock = std::chrono::steady_clock;
	const auto begun = clock::now();
	int error = stack9_save(&td, side, nullptr, &s);
	const auto took = clock::now() - begun;
	if (s == nullptr)
		return error != 0 ? error : -1;
	bool any = false, late = false;
	for (const stack9_stack *const one : {s->kernel, s->user}) {
		if (one == nullptr)
			continue;
		any = any || one->depth > 0;
		late = late || (one->error == EAGAIN &&
		    (one->why == STACK9_WHY_SILENT ||
		    one->why == STACK9_WHY_LATE));
		if ((one->error == 0) != (one->depth > 0) || lacks_frames(*one))
			error = -1;
	}
	if (error >= 0 && (error == 0) != any)
		error = -1;
	came_late = error == EAGAIN && late && took >= time_of_capture;
	if (error == 0 && fn != nullptr)
		error = fn(s);
	stack9_sample_close(s);
	return error;
}

int kernel(pid_t pid) { return save(pid, STACK9_KERNEL); }
int user(pid_t pid) { return save(pid, STACK9_USER); }
int both(pid_t pid) { return save(pid, STACK9_BOTH); }

int
by(const char *routes, pid_t pid, int side)
{
	if (stack9_force(routes) != 0)
		return -1;
	const int error = save(pid, side);
	stack9_force(nullptr);
	return error;
}

int stopped(pid_t pid) { return by("ptrace", pid, STACK9_USER); }
int by_proc(pid_t pid) { return by("procfs", pid, STACK9_BOTH); }

int
count(void *arg, const stack9_sample *)
{
	++*static_cast<int *>(arg);
	return 0;
}

int
pass(pid_t pid)
{
	const stack9_thread td{pid, pid, 0};
	int seen = 0;
	const int error = stack9_each(&td, STACK9_BOTH, nullptr, count, &seen);
	return error != 0 ? error : seen == threads_looked_at ? 0 : -1;
}

int
pass_that_stops(pid_t pid)
{
	if (stack9_force("ptrace,procfs") != 0)
		return -1;
	const int error = pass(pid);
	stack9_force(nullptr);
	return error;
}

int
frames_of(const stack9_sample *s)
{
	std::uint32_t told = 0;
	const auto one = [](void *arg, const stack9_frame *f) {
		*static_cast<std::uint32_t *>(arg) +=
		    f->kind == STACK9_FRAME_FUNCTION;
		return 0;
	};
	for (const stack9_stack *const stack : {s->kernel, s->user}) {
		told = 0;
		if (const int error = stack9_frames(stack,
		    STACK9_FRAMES_LINES, one, &told); error != 0)
			return error;
		if (told != stack->depth)
			return -1;
	}
	return 0;
}

int names(pid_t pid) { return save(pid, STACK9_BOTH, frames_of); }

int
space(pid_t pid)
{
	const stack9_thread td{pid, pid, 0};
	stack9_space *it = nullptr;
	const int error = stack9_space_open(&td, &it);
	if ((error == 0) != (it != nullptr))
		return -1;
	stack9_space_close(it);
	return error;
}

int
space_of_file(pid_t)
{
	stack9_space *it = nullptr;
	const int error = stack9_space_open_file("/proc/self/exe", &it);
	if ((error == 0) != (it != nullptr))
		return -1;
	stack9_space_close(it);
	return error;
}

// stack9_watch(3): events is the sum of kept, no_room and nested.
int
sum_of_outcomes(stack9_watch *w)
{
	stack9_tally t{};
	t.size = sizeof t;
	if (const int error = stack9_watch_tally(w, &t); error != 0)
		return error;
	return t.events != 0 && t.events == t.kept + t.no_room + t.nested ?
	    0 : -1;
}

int
watched(int mode, int side)
{
	stack9_watch_options o{};
	o.size = sizeof o;
	o.mode = mode;
	o.side = side;
	o.pid = getpid();
	o.ring = 65536;
	o.stacks = 1024;
	stack9_watch *w = nullptr;
	int error = stack9_watch_open("syscall:getppid", &o, &w);
	if ((error == 0) != (w != nullptr))
		return -1;
	if (error != 0)
		return error;
	for (int i = 0; i < 3; i++)
		syscall(SYS_getppid);
	int seen = 0;
	do
		error = stack9_watch_read(w, 0, count, &seen);
	while (error == 0);
	if (error == EAGAIN)
		error = stack9_watch_stop(w);
	if (error == 0 && mode == STACK9_WATCH_COUNT)
		error = stack9_watch_each(w, count, &seen);
	if (error == 0)
		error = seen == 0 ? -1 : sum_of_outcomes(w);
	stack9_watch_close(w);
	return error;
}

int watch_counts(pid_t) { return watched(STACK9_WATCH_COUNT, STACK9_BOTH); }
int watch_events(pid_t) { return watched(STACK9_WATCH_STREAM, STACK9_BOTH); }

int
submit(pid_t pid)
{
	stack9_async *stream = nullptr;
	int error = stack9_async_open(&stream);
	if (error != 0)
		return error;
	const stack9_thread td{pid, pid, 0};
	stack9_id id = 0;
	error = stack9_async_submit(stream, &td, STACK9_BOTH, 0, 0, &id);
	if (error == 0) {
		stack9_sample *s = nullptr;
		error = stack9_async_collect(stream, id, nullptr, &s);
		// It sleeps, and so its user side is under way.
		if (error == EAGAIN && s != nullptr)
			error = s->kernel->error;
		stack9_sample_close(s);
	}
	stack9_async_close(stream);
	return error;
}

int
apart(pid_t pid)
{
	if (const int error = stack9_read_apart(0); error != 0)
		return error;
	return names(pid);
}

int
forced(const char *routes, int (*call)(pid_t), pid_t pid)
{
	if (stack9_force(routes) != 0)
		return -1;
	const int error = call(pid);
	stack9_force(nullptr);
	return error;
}

int waits_by_proc(pid_t pid) { return forced("procfs", waits, pid); }
int states_by_proc(pid_t pid) { return forced("procfs", states, pid); }

struct reported_goroutines {
	int	whole = 0, partial = 0, error = 0;
};

int
parked(pid_t)
{
	const stack9_thread td{go_process, go_process, 0};
	reported_goroutines told;
	if (go_process == 0)
		return 0;
	const int error = stack9_coroutines(&td, nullptr, [](void *arg,
	    const stack9_coroutine *c) {
		auto &t = *static_cast<reported_goroutines *>(arg);
		const stack9_stack &s = *c->sample->user;
		t.whole += s.why == STACK9_WHY_NONE;
		t.partial += s.why != STACK9_WHY_NONE && *s.reason != '\0';
		// The runtime's own may run each time that they are copied.
		t.error = s.error != 0 && s.error != EAGAIN ? s.error :
		    t.error;
		return 0;
	}, &told);
	// A walk that failed says why in its stack.
	return error != 0 ? error : told.error != 0 ? told.error :
	    told.whole > 0 ? 0 : told.partial > 0 ? shim::error() : -1;
}

} // namespace

pid_t go_process;
bool came_late;

const std::vector<call> calls{
	{"find", find},
	{"kernel", kernel},
	{"user", user},
	{"both", both},
	{"stopped", stopped},
	{"by_proc", by_proc},
	{"pass", pass},
	{"pass_that_stops", pass_that_stops},
	{"names", names},
	{"space", space},
	{"space_of_file", space_of_file},
	{"text", text_call},
	{"watch_counts", watch_counts},
	{"watch_events", watch_events},
	{"submit", submit},
	{"waits", waits},
	{"waits_by_proc", waits_by_proc},
	{"states", states},
	{"states_by_proc", states_by_proc},
	{"goroutines", parked, false, true},
	{"record", record},
	{"apart", apart, true},
};
