// Reads the states of all threads from /proc/TID/stat and status.  Neither says
// since when.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "wait.h"

#include "os/task_directory.h"
#include "os/clocks.h"
#include "os/posture.h"

namespace stack9::procfs {
namespace {

// A thread that ends meanwhile is none, and so is one that this user may not
// see.
int
of_missing(int error) noexcept
{
	return error == ESRCH || error == EPERM ? 0 : error;
}

// /proc does not say whether a thread that may run is on a CPU.
int
report_state(pid_t tid, state_sink to, void *arg) noexcept
{
	char buffer[1024];
	std::string_view line;
	thread_stat stat;
	thread_status status;
	proc_task task;
	posture_reader reader;
	stack9_state s{};
	int error = task.open(tid);
	if (error == 0)
		error = task.read("stat", buffer, line);
	if (error == 0)
		error = parse_stat(line, stat) ?
		    reader.read_status(task, status) : ESRCH;
	if (error != 0)
		return of_missing(error);
	s.thread = {tid, status.pid, stat.start};
	s.comm = stat.comm;
	s.state = stat.state;
	s.cpu = stat.cpu;
	s.flags = stat.state == 'R' ? STACK9_STATE_ON_CPU : 0;
	s.switches = status.switches;
	s.when_ns = boot_ns();
	return to(arg, s);
}

int
report_states_of(pid_t pid, state_sink to, void *arg) noexcept
{
	char path[48];
	std::snprintf(path, sizeof path, "/proc/%d/task", pid);
	const unique_fd dir(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	int stop = 0;
	if (dir.get() < 0)
		return proc_error(errno);
	each_task(dir.get(), [&](pid_t tid) {
		stop = report_state(tid, to, arg);
		return stop == 0;
	});
	return stop;
}

} // namespace

int
wait_route_by_proc::states(pid_t pid, state_sink to, void *arg) noexcept
{
	if (pid != 0)
		return report_states_of(pid, to, arg);
	const unique_fd dir(open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	int stop = 0;
	if (dir.get() < 0)
		return proc_error(errno);
	each_task(dir.get(), [&](pid_t each) {
		stop = report_states_of(each, to, arg);
		stop = stop == ESRCH ? 0 : stop;
		return stop == 0;
	});
	return stop;
}

} // namespace stack9::procfs
