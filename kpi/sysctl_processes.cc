// Answers kern.proc.pid and its like: records of the machine's processes, or of
// their threads.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "sysctl_native.h"

#include <algorithm>
#include <cerrno>
#include <vector>

#include "core/seam/thread.h"
#include "os/uncancelled.h"
#include "kinfo.h"

namespace stack9 {
namespace {

bool
is_chosen(const task_facts &p, int what, int of) noexcept
{
	const auto number = static_cast<unsigned int>(of);
	switch (what) {
	case KERN_PROC_PGRP:
		return p.group == of;
	case KERN_PROC_SESSION:
		return p.session == of;
	case KERN_PROC_TTY:
		return p.terminal != 0 && p.terminal == number;
	case KERN_PROC_UID:
		return p.uid == number;
	case KERN_PROC_RUID:
		return p.real_uid == number;
	case KERN_PROC_GID:
		return p.gid == number || std::find(p.groups.begin(),
		    p.groups.end(), number) != p.groups.end();
	case KERN_PROC_RGID:
		return p.real_gid == number;
	default:
		return true;	// one, or all
	}
}

int
give_record(const task_facts &process, const task_facts &thread,
    struct sysctl_req &req)
{
	const struct kinfo_proc k = kinfo_of(process, thread);
	return SYSCTL_OUT(&req, &k, sizeof k);
}

// A thread that ends meanwhile is left out.
int
give_threads(const task_facts &process, struct sysctl_req &req)
{
	std::vector<pid_t> tids;
	if (const int error = list_threads(process.pid, tids); error != 0)
		return error;
	for (const pid_t tid : tids) {
		task_facts thread;
		int error = read_thread(process.pid, tid, thread);
		if (error == ESRCH)
			continue;
		if (error == 0)
			error = give_record(process, thread, req);
		if (error != 0)
			return error;
	}
	return 0;
}

int
give_process(pid_t pid, int what, int of, bool threads, struct sysctl_req &req)
{
	task_facts p;
	if (const int error = read_process(pid, p); error != 0)
		return error;
	if (!is_chosen(p, what, of))
		return 0;
	return threads ? give_threads(p, req) : give_record(p, p, req);
}

int
give_all(int what, int of, bool threads, struct sysctl_req &req)
{
	std::vector<pid_t> pids;
	if (const int error = list_processes(pids); error != 0)
		return error;
	for (const pid_t pid : pids) {
		const int error = give_process(pid, what, of, threads, req);
		// One ends, or shows itself to nobody.
		if (error != 0 && error != ESRCH && error != EPERM)
			return error;
	}
	return 0;
}

bool
is_thread(pid_t pid)
{
	stack9_thread id{};
	thread_stat stat{};
	return find_thread(pid, id, stat) != 0 || id.pid != pid;
}

} // namespace

// Each process is one record, and with the flag, or by KERN_PROC_ALL, each
// thread.
int
answer_processes(int number, int of, struct sysctl_req &req)
{
	const uncancelled guard;
	const bool threads = number == KERN_PROC_ALL ||
	    (number & KERN_PROC_INC_THREAD) != 0;
	const int what = number & ~KERN_PROC_INC_THREAD;
	const int error = what != KERN_PROC_PID ?
	    give_all(what, of, threads, req) :
	    of < 1 || is_thread(of) ? ESRCH :
	    give_process(of, what, of, threads, req);
	// A caller who asks for the length asks for the records next, and there
	// may be more then.
	if (error == 0 && req.oldptr == nullptr)
		req.oldidx += 5 * sizeof(struct kinfo_proc);
	return error;
}

} // namespace stack9
