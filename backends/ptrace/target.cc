// Reads the thread that is to be traced from /proc.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "target.h"

#include <sys/stat.h>
#include <unistd.h>

#include "core/seam/identify.h"
#include "os/proc_error.h"
#include "os/process_memory.h"
#include "os/stat_line.h"

namespace stack9::tracing {
namespace {

constexpr std::size_t status_size = 16384;

int
refuse_file(stack_record &rec, int error) noexcept
{
	if (error == ESRCH)
		return say(rec, ESRCH, STACK9_WHY_GONE, nullptr);
	if (error == EPERM)
		return say(rec, EPERM, STACK9_WHY_RIGHTS,
		    "/proc/TID is closed to this caller");
	if (error == EOPNOTSUPP)
		return say(rec, error, STACK9_WHY_MACHINE, no_proc);
	return say(rec, error, STACK9_WHY_RESOURCE,
	    error == EMFILE || error == ENFILE ? "out of file descriptors" :
	    "a file of /proc/TID could not be opened or read");
}

int
refuse_traced(stack_record &rec, std::string_view status) noexcept
{
	rec.tracer = static_cast<pid_t>(number_behind(status, "\nTracerPid:"));
	return rec.tracer == 0 ? 0 : say(rec, EBUSY, STACK9_WHY_TRACED,
	    "another program traces it");
}

// True if all user ids of a thread are the caller's.  The line is
// "Uid:\tREAL EFF SAVED FS".
bool
is_ours(std::string_view status) noexcept
{
	const std::size_t at = status.find("\nUid:\t");
	if (at == status.npos)
		return false;
	std::string_view ids = status.substr(at + 6);
	for (int i = 0; i < 3; i++) {
		uid_t id = 0;
		if (!number(ids, id) || id != geteuid())
			return false;
		ids.remove_prefix(std::min(ids.find('\t'), ids.size() - 1) + 1);
	}
	return true;
}

const char *
lack_of_rights(const proc_task &dir, std::string_view status) noexcept
{
	struct stat owner{};
	if (!is_ours(status))
		return "another user's: needs CAP_SYS_PTRACE";
	if (fstatat(dir.get(), "stat", &owner, 0) == 0 &&
	    owner.st_uid != geteuid())
		return "not dumpable (set-user-ID, or prctl(2) "
		    "PR_SET_DUMPABLE): needs CAP_SYS_PTRACE";
	switch (yama_scope()) {
	case 1:
		return "kernel.yama.ptrace_scope is 1, only ancestors trace: "
		    "needs CAP_SYS_PTRACE";
	case 2:
		return "kernel.yama.ptrace_scope is 2: needs CAP_SYS_PTRACE";
	case 3:
		return "kernel.yama.ptrace_scope is 3: nobody traces until the "
		    "next boot";
	}
	return "the kernel refuses: it has capabilities that the caller lacks, "
	    "or a security module or seccomp filter is in the way";
}

} // namespace

int
yama_scope() noexcept
{
	char text[8];
	std::string_view line;
	proc_file f;
	int scope = -1;
	if (f.open(AT_FDCWD, "/proc/sys/kernel/yama/ptrace_scope") == 0 &&
	    f.read(text, line) == 0)
		number(line, scope);
	return scope;
}

bool
target::ancestors_may() noexcept
{
	return yama_scope() == 1;
}

int
target::open(const stack9_thread &td, stack_record &rec) noexcept
{
	char buffer[1024];
	std::string_view line;
	int error = dir_.open(td.tid);
	if (error == 0)
		error = dir_.read("stat", buffer, line);
	if (error != 0)
		return refuse_file(rec, error);
	thread_stat stat;
	if (!parse_stat(line, stat))
		return stack9::refuse(rec, ESRCH, STACK9_WHY_GONE, nullptr);
	if (error = identify(stat, td, rec); error != 0)
		return error;
	const std::string_view rest = line.substr(line.rfind(')') + 2);
	number(word(rest, 9 - 3), flags_);
	number(word(rest, 28 - 3), start_stack_);
	if ((flags_ & flag_kernel) != 0)
		return say(rec, EOPNOTSUPP, STACK9_WHY_KTHREAD, nullptr);
	if (const int dead = refuse_dead(rec, rec.state))
		return dead;
	return read_status(rec);
}

// Refuses without ptrace(2) whatever /proc already rules out, so that no thread
// is disturbed for nothing.
int
target::read_status(stack_record &rec) const noexcept
{
	char buffer[status_size];
	std::string_view status;
	if (const int error = dir_.read("status", buffer, status); error != 0)
		return refuse_file(rec, error);
	rec.thread.pid = static_cast<pid_t>(number_behind(status, "\nTgid:"));
	if (rec.thread.pid == getpid())
		return say(rec, EOPNOTSUPP, STACK9_WHY_MACHINE,
		    "a program does not trace itself");
	return refuse_traced(rec, status);
}

int
target::refuse_if_gone(stack_record &rec) const noexcept
{
	char buffer[1024];
	std::string_view line;
	thread_stat stat;
	if (const int error = dir_.read("stat", buffer, line); error != 0)
		return refuse_file(rec, error);
	return parse_stat(line, stat) ? refuse_dead(rec, stat.state) :
	    refuse_file(rec, ESRCH);
}

int
target::open_memory(source &from, stack_record &rec) noexcept
{
	from.start_stack = start_stack_;
	const int error = mem_.open(dir_.get(), "mem");
	from.mem_fd = mem_.get();
	// A policy may be about the file only.
	const bool other_way = error == EPERM && probe_read_directly() == 0;
	return error != 0 && !other_way ? refuse_file(rec, error) : 0;
}

// The kernel returns EPERM for all of these reasons.
int
target::refuse_rights(stack_record &rec) const noexcept
{
	char buffer[status_size];
	std::string_view status;
	if (const int error = dir_.read("status", buffer, status); error != 0)
		return refuse_file(rec, error);
	if (const int error = refuse_traced(rec, status))
		return error;
	const std::size_t state = status.find("\nState:\t");
	if (state != status.npos)
		if (const int dead = refuse_dead(rec, status[state + 8]))
			return dead;
	if ((flags_ & flags_worker) != 0)
		return say(rec, EOPNOTSUPP, STACK9_WHY_KTHREAD,
		    "a worker of the kernel's: it has no user stack");
	// This file needs the same rights.  If it opens, another tracer had the
	// thread and has released it.  ESRCH: the thread has no memory; it is a
	// first thread that died of another thread's execve(2), and that thread
	// is about to take its tid.
	proc_file asks;
	if (const int error = asks.open(dir_.get(), "mem");
	    error == 0 || error == ESRCH)
		return say(rec, EAGAIN, STACK9_WHY_TORN, nullptr);
	return say(rec, EPERM, STACK9_WHY_RIGHTS,
	    lack_of_rights(dir_, status));
}

int
target::refuse(int error, step at, stack_record &rec) const noexcept
{
	if (error == EPERM && at == step::seizing)
		return refuse_rights(rec);
	if (const int gone = refuse_if_gone(rec); gone != 0)
		return gone;
	switch (error) {
	case EAGAIN:
		return say(rec, EAGAIN, STACK9_WHY_SILENT,
		    "did not stop in time: in disk sleep or vfork");
	case ESRCH:	// it lives, but another thread took its tid
		return say(rec, EAGAIN, STACK9_WHY_TORN, nullptr);
	case EOPNOTSUPP:
		return say(rec, EOPNOTSUPP, STACK9_WHY_MACHINE,
		    "a program of another kind of machine");
	default:
		return say(rec, error, STACK9_WHY_RESOURCE,
		    "could not be traced just now");
	}
}

int
target::refuse_killed(step at, stack_record &rec) const noexcept
{
	if (const int gone = refuse_if_gone(rec); gone != 0)
		return gone;
	if (at == step::copying)
		return say(rec, EAGAIN, STACK9_WHY_LATE, nullptr);
	return say(rec, EAGAIN, STACK9_WHY_SILENT, at == step::seizing ?
	    "could not be traced in time: in execve" :
	    "whoever traced it for us was killed");
}

} // namespace stack9::tracing
