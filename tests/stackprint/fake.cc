// A libstack9 that needs no rights and says the same every time.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core_calls.h"
#include "fake_cast.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>


using namespace fake;

namespace {

struct function {
	std::uintptr_t	 start, size;
	const char	*name, *module;
};

const function functions[] = {
	{text_start + 0x0000, 0x1000, "schedule", ""},
	{text_start + 0x1000, 0x1000, "ep_poll", ""},
	{text_start + 0x2000, 0x0100, "do_exit", ""},
	{text_start + 0x2100, 0x0100, "next_function", ""},
	{text_start + 0x3000, 0x1000, "bad\033[2J\\name\n", "m\001d"},
	{0xffffffffc0000000, 0x1000, "nft_do_chain", "nf_tables"},
};

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

// User addresses of another process of the program.
void
shift(stack9::stack_record &rec)
{
	if (rec.side == STACK9_USER && rec.thread.pid != fake::process)
		for (std::uint32_t i = 0; i < rec.depth; i++)
			rec.pcs[i] += fake::twin_shift;
}

void
play_half(const half &h, stack9::stack_record &rec)
{
	rec.error = h.error;
	rec.why = h.why;
	rec.reason = h.reason;
	rec.flags = h.flags;
	rec.dropped = h.dropped;
	rec.tracer = h.why == STACK9_WHY_TRACED ? getppid() : 0;
	rec.depth = std::min(h.depth, rec.max);
	if (rec.depth < h.depth) {
		rec.dropped = h.depth - rec.depth;
		rec.why = STACK9_WHY_TRUNCATED;
	}
	if (h.pcs != nullptr)
		std::copy_n(h.pcs, rec.depth, rec.pcs);
	if (h.flags & stack9::record_has_text) {
		std::snprintf(rec.text, rec.text_size, "%s", fake::text_lines);
		std::fill_n(rec.pcs, rec.depth, 0);
	}
}

} // namespace

void
fake::play(const role &r, pid_t pid, stack9_side side, stack9::stack_record &rec)
{
	rec.thread = {r.tid, pid, 1};
	rec.side = side;
	rec.route = side == STACK9_USER && r.tid == by_ptrace ? "ptrace" :
	    "fake";
	rec.when_ns = 123456789;
	rec.cpu = r.state == '?' ? -1 : 1;
	rec.state = r.state;
	std::snprintf(rec.comm, sizeof rec.comm, "%s", r.comm);
	play_half(side == STACK9_KERNEL ? r.kernel : r.user, rec);
	shift(rec);
}

void
fake::refuse(stack9::stack_record &rec)
{
	rec.error = EPERM;
	rec.why = STACK9_WHY_RIGHTS;
	rec.reason = "bpf(2) was refused";
	rec.flags = 0;
	rec.depth = 0;
}

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
core::save(enum stack9_side side, const struct stack9_thread *td,
    stack9::stack_record *rec)
{
	turn(td->tid);
	if (side == STACK9_USER)
		tell_rights("save");
	play(role_of(td->tid), td->pid, side, *rec);
	if (asked_for("no-rights")) {
		rec->state = '?';
		rec->cpu = -1;
		refuse(*rec);
	} else if (asked_for("no-kernel") && side == STACK9_KERNEL) {
		refuse(*rec);
	}
	return rec->error;
}

extern "C" int
core::save_both(const struct stack9_thread *td, stack9::stack_record *kernel,
    stack9::stack_record *user)
{
	core::save(STACK9_KERNEL, td, kernel);
	core::save(STACK9_USER, td, user);
	return 0;
}

namespace {

int
deliver(const role &r, pid_t pid, stack9_side side, stack9_space *space,
    stack9::record_fn *fn, void *arg)
{
	std::uintptr_t pcs[16];
	char text[256];
	stack9::stack_record rec{};
	rec.pcs = pcs;
	rec.max = 16;
	rec.text = text;
	rec.text_size = sizeof text;
	rec.space = side == STACK9_USER ? space : nullptr;
	play(r, pid, side, rec);
	const int stop = fn(arg, &rec);
	// What is left of it is of no use to anybody.
	std::fill_n(pcs, 16, 1);
	std::strcpy(text, "gone");
	return stop;
}

} // namespace

extern "C" int
core::each(enum stack9_side sides, pid_t pid, stack9::record_fn *fn, void *arg)
{
	if (asked_for("no-pass") || asked_for("no-rights") ||
	    asked_for("no-kernel"))
		return EPERM;
	const std::vector<role> all = members(pid);
	if (all.empty())
		return ESRCH;
	const pid_t process = pid ? pid : pid_t{fake::process};
	const stack9_thread first = {all[0].tid, process, 1};
	stack9_space *space = nullptr;
	core::space_open(&first, &space);
	int stop = 0;
	for (const role &r : all)
		for (const stack9_side side : {STACK9_KERNEL, STACK9_USER})
			if ((side & sides) && stop == 0)
				stop = deliver(r, process, side, space, fn,
				    arg);
	stack9_space_close(space);
	return stop != 0 ? stop : asked_for("no-end") ? EMFILE : 0;
}

extern "C" const char *
stack9_why_text(enum stack9_why why)
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
core::name(uintptr_t pc, unsigned int flags, stack9::symbol_name *sym)
{
	if (asked_for("names-hidden"))
		return EPERM;
	const std::uintptr_t at = pc - ((flags & stack9::name_return_address) != 0);
	for (const function &f : functions)
		if (at >= f.start && at - f.start < f.size) {
			std::strcpy(sym->name, f.name);
			std::strcpy(sym->module, f.module);
			sym->offset = pc - f.start;
			sym->size = f.size;
			return 0;
		}
	return ENOENT;
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
	return tell_async_routes(fn, arg, other);
}

extern "C" int
stack9_force(const char *routes)
{
	return asked_for("no-ptrace") || std::strcmp(routes, "ptrace") != 0 ?
	    ENOENT : 0;
}

extern "C" int
stack9_pin(const char *dir)
{
	return std::string(dir) == "/bpffs" ? 0 : EOPNOTSUPP;
}
