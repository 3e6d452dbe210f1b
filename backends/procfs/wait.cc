// Looks at what threads wait for by /proc/TID/syscall, status and stat.  The
// kernel shows a system call only of a thread that it finds off its CPU twice
// without a switch in between.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "wait.h"

#include "os/proc_task.h"

namespace stack9::procfs {
namespace {

constexpr const char needs_rights[] = "/proc/TID/syscall needs "
    "CAP_SYS_PTRACE, or the same user and no Yama";

int
read_identity(const proc_task &task, wait_facts &f) noexcept
{
	char buffer[1024];
	std::string_view line;
	thread_stat stat;
	if (const int error = task.read("stat", buffer, line); error != 0)
		return error;
	if (!parse_stat(line, stat) ||
	    (f.thread.start != 0 && f.thread.start != stat.start))
		return ESRCH;
	f.thread.start = stat.start;
	f.state = stat.state;
	return stat.is_dead() ? ESRCH : 0;
}

// The file has the tracer's process; its first thread is given.
stack9_thread
tracer_of(std::string_view status) noexcept
{
	const auto pid = static_cast<pid_t>(
	    number_behind(status, "\nTracerPid:"));
	wait_facts f{};
	proc_task task;
	f.thread = {pid, pid, 0};
	return pid != 0 && task.open(pid) == 0 && read_identity(task, f) == 0 ?
	    f.thread : stack9_thread{};
}

int
read_status(const proc_task &task, wait_facts &f) noexcept
{
	char buffer[8192];
	std::string_view text;
	if (const int error = task.read("status", buffer, text); error != 0)
		return error;
	f.thread.pid = static_cast<pid_t>(number_behind(text, "\nTgid:"));
	f.switches = number_behind(text, "\nvoluntary_ctxt_switches:") +
	    number_behind(text, "\nnonvoluntary_ctxt_switches:");
	f.tracer = tracer_of(text);
	return 0;
}

void
parse_call(std::string_view text, wait_facts &f) noexcept
{
	std::uintptr_t sp = 0, pc = 0;
	f.running = !parse_syscall(text, sp, pc);
	if (f.running)
		return;
	f.knows_call = true;
	f.call = -1;
	number(word(text, 0), f.call);
	for (int i = 0; f.call >= 0 && i < 6; i++)
		f.args[i] = number_behind(word(text, i + 1), "0x", 16);
	f.is_32_bit = sp >> 32 == 0 && pc >> 32 == 0;
}

int
look_at(wait_facts &f) noexcept
{
	char buffer[512];
	std::string_view text;
	proc_task task;
	int error = task.open(f.thread.tid);
	if (error == 0)
		error = read_identity(task, f);
	if (error == 0)
		error = read_status(task, f);
	if (error != 0)
		return error;
	error = task.read("syscall", buffer, text);
	if (error == EPERM)
		f.reason = needs_rights;
	else if (error == 0)
		parse_call(text, f);
	return error;
}

} // namespace

constinit wait_route_by_proc wait_by_proc;

verdict
wait_route_by_proc::can() noexcept
{
	wait_facts me{};
	me.thread.tid = gettid();
	const int error = look_at(me);
	switch (error) {
	case 0:
		return {0, nullptr};
	case EOPNOTSUPP:
		return {EOPNOTSUPP, no_proc};
	case ESRCH:
		return {EOPNOTSUPP,
		    "no /proc/TID/syscall: the kernel has none"};
	case EPERM:
		return {EPERM, needs_rights};
	default:
		return {error, "/proc/TID/syscall cannot be read just now"};
	}
}

int
wait_route_by_proc::look(std::span<wait_facts> wanted) noexcept
{
	for (wait_facts &f : wanted)
		f.error = look_at(f);
	return 0;
}

} // namespace stack9::procfs
