// Imitates libstack9: it needs no rights and says the same every time.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "fake_sample.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <stack9.h>
#include <stack9_coroutines.h>
#include <stack9_waits.h>

using namespace fake;

namespace {

std::string
proc(pid_t tid)
{
	return "/proc/" + std::to_string(tid);
}

bool
exists(pid_t tid)
{
	struct stat st;
	return (tid > fake::process && tid < fake::end) ||
	    (tid >= fake::deep && tid < fake::async_end) ||
	    tid >= fake::mass || stat(proc(tid).c_str(), &st) == 0;
}

void
refuse(played &p, stack9_stack &s)
{
	p.fail(s, EPERM, STACK9_WHY_RIGHTS, "bpf(2) was refused");
}

// /proc knows the threads that the cast does not have.
void
refuse_all(played &p)
{
	const pid_t tid = p.sample.thread.tid;
	p.forget();
	if (tid < fake::process) {
		std::getline(std::ifstream(proc(tid) + "/comm"), p.comm);
		p.sample.comm = p.comm.c_str();
		p.sample.state = 'S';
	}
	refuse(p, p.kernel);
	refuse(p, p.user);
}

std::vector<stack9_thread>
threads_of(pid_t pid)
{
	std::vector<stack9_thread> all;
	std::error_code error;
	if (pid < fake::process)
		for (const auto &each : std::filesystem::directory_iterator(
		    proc(pid) + "/task", error))
			all.push_back({std::stoi(each.path().filename()), pid,
			    1});
	return all;
}

} // namespace

// The files of what is not dumpable belong to root.
void
fake::turn(pid_t tid)
{
	if (!asked_for("turn"))
		return;
	struct stat st;
	kill(tid, SIGUSR1);
	const std::string file = proc(tid) + "/syscall";
	while (stat(file.c_str(), &st) == 0 && st.st_uid != 0)
		sched_yield();
}

bool
fake::asked_for(const char *word)
{
	const char *list = std::getenv("STACK9_FAKE");
	return list != nullptr && std::strstr(list, word) != nullptr;
}

extern "C" int
stack9_thread_find(pid_t tid, struct stack9_thread *td)
{
	if (!exists(tid))
		return ESRCH;
	*td = {tid, tid < fake::process ? tid : fake::process, 1};
	return 0;
}

extern "C" int
stack9_thread_list(const struct stack9_thread *td, struct stack9_thread *list,
    uint32_t max, uint32_t *count)
{
	const std::vector<stack9_thread> all = threads_of(td->pid);
	*count = static_cast<std::uint32_t>(all.size());
	std::copy_n(all.begin(), std::min(max, *count), list);
	return all.empty() ? ESRCH : 0;
}

extern "C" int
stack9_save(const struct stack9_thread *td, int side,
    const struct stack9_save_options *options, struct stack9_sample **sample)
{
	turn(td->tid);
	if (side & STACK9_USER)
		report_rights("save");
	stack9_space *const space = options->space != nullptr ?
	    stack9_space_hold(options->space) : space_of(td->pid);
	played p(role_of(td->tid), td->pid, side, space, options->frames);
	if (!exists(td->tid)) {
		p.forget();
		for (stack9_stack *s : {&p.kernel, &p.user})
			p.fail(*s, ESRCH, STACK9_WHY_GONE, nullptr);
	} else if (asked_for("no-rights")) {
		refuse_all(p);
	} else if (asked_for("no-kernel")) {
		refuse(p, p.kernel);
	}
	*sample = stack9_sample_hold(&p.sample);
	stack9_space_close(space);
	return p.error();
}

extern "C" int
stack9_each(const struct stack9_thread *td, int side,
    const struct stack9_save_options *options, stack9_sample_fn *fn, void *arg)
{
	if (asked_for("no-pass") || asked_for("no-rights") ||
	    asked_for("no-kernel"))
		return EPERM;
	const std::vector<role> all = members(td != nullptr ? td->pid : 0);
	if (all.empty())
		return ESRCH;
	const pid_t pid = td != nullptr ? td->pid : pid_t{fake::process};
	stack9_space *const space = space_of(pid);
	int stop = 0;
	for (const role &r : all)
		if (stop == 0) {
			const played p(r, pid, side, space, options->frames);
			stop = fn(arg, &p.sample);
		}
	stack9_space_close(space);
	return stop != 0 ? ECANCELED : asked_for("no-end") ? EMFILE : 0;
}

// Nothing is known of waits here.
extern "C" int
stack9_waits(const stack9_sample *const *, std::uint32_t, unsigned int,
    stack9_wait_fn *, void *)
{
	return EOPNOTSUPP;
}

extern "C" int
stack9_coroutines(const stack9_thread *, const stack9_save_options *,
    stack9_coroutine_fn *, void *)
{
	return ENOENT;
}

extern "C" int
stack9_states(const stack9_thread *, unsigned int, stack9_state_fn *, void *)
{
	return EOPNOTSUPP;
}

extern "C" int
stack9_stack_same(const stack9_stack *, const stack9_stack *)
{
	return 1;
}

extern "C" const char *
stack9_wait_text(int)
{
	return "unknown";
}

extern "C" const char *
stack9_why_text(int why)
{
	switch (why) {
	case STACK9_WHY_NONE:
		return "complete";
	case STACK9_WHY_USER_MODE:
		return "running in user mode";
	case STACK9_WHY_TORN:
		return "ran each time while its stack was being read";
	case STACK9_WHY_GONE:
		return "no such thread";
	case STACK9_WHY_ZOMBIE:
		return "a zombie";
	case STACK9_WHY_TRUNCATED:
		return "truncated";
	case STACK9_WHY_UNWIND:
		return "stopped: no unwind information";
	case STACK9_WHY_KTHREAD:
		return "a kernel thread: it has no user stack";
	case STACK9_WHY_EXITING:
		return "exiting; its stack is gone";
	default:
		return "another reason";
	}
}

extern "C" int
stack9_routes(stack9_route_fn *fn, void *arg)
{
	const int other = asked_for("no-rights") ? EPERM :
	    asked_for("no-jobs") ? EOPNOTSUPP : 0;
	const char *no = other == EPERM ? "needs CAP_BPF" : "no BTF";
	fn(arg, "kernel stack", "syscall", other ? other : EOPNOTSUPP,
	    other ? no : "no bpf_task_from_pid");
	fn(arg, "kernel stack", "iter-tid", other, other ? no : "an iterator");
	const int ipi = other ? other : asked_for("half") ? EPERM : 0;
	fn(arg, "kernel stack of a running thread", "ipi", ipi,
	    other ? no : "an interrupt");
	return report_async_routes(fn, arg, other);
}

extern "C" int
stack9_stats(stack9_stat_fn *fn, void *arg)
{
	fn(arg, "walks", 5, "walks that were made");
	fn(arg, "left-out-headers", 0, "files with odd headers");
	if (asked_for("left-out")) {
		fn(arg, "left-out-symbols", 2, "files with many symbols");
		fn(arg, "left-out-perf-maps", 1, "perf maps that were cut");
	}
	if (asked_for("left-out") || asked_for("no-descriptors"))
		fn(arg, "left-out-descriptors", 3, "files not opened");
	const char *const limits = std::getenv("STACK9_LIMITS");
	if (asked_for("limits"))
		std::fprintf(stderr, "limits: %s\n", limits ? limits : "-");
	return 0;
}

extern "C" int
stack9_file_notes(stack9_file_note_fn *fn, void *arg)
{
	if (asked_for("file-notes")) {
		fn(arg, "/one\n", "split-files", "it has no .dwo files");
		fn(arg, "/two", "split-files", "it has no .dwo files");
		fn(arg, "/two", "common-file", "a part is missing");
	}
	return 0;
}

extern "C" int
stack9_force(const char *routes)
{
	return asked_for("no-ptrace") || std::strcmp(routes, "ptrace") != 0 ?
	    ENOENT : 0;
}

extern "C" int
stack9_read_apart(unsigned int)
{
	return 0;
}

// The fake of watches has another one.
extern "C" [[gnu::weak]] const char *
stack9_reason()
{
	return "";
}

extern "C" int
stack9_pin(const char *dir)
{
	return std::string(dir) == "/bpffs" ? 0 : EOPNOTSUPP;
}
