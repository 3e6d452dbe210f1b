// A libstack9 that needs no rights and says the same every time.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "fake.h"

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

#include <stack9.h>

namespace {

constexpr std::uintptr_t text_start = 0xffffffff81000000;

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

const std::uintptr_t usual[] = {text_start + 0x10, text_start + 0x131e,
    0xffffffffc00000a0};
const std::uintptr_t after_do_exit[] = {text_start + 0x2100};
const std::uintptr_t nowhere[] = {0xffffffff90000000};
const std::uintptr_t bad[] = {text_start + 0x3008};

struct role {
	pid_t			 tid;
	char			 state;
	const char		*comm;
	int			 error;
	stack9_why		 why;
	const char		*reason;
	unsigned int		 flags;
	const std::uintptr_t	*pcs;
	std::uint32_t		 depth, dropped;
};

const char text_lines[] = "schedule+0x10/0x90\npipe_read+0x2f/0x1a0 [pipes]\n";

const role cast[] = {
	{fake::whole, 'S', "nginx", 0, STACK9_WHY_NONE, nullptr, 0,
	    usual, 3, 0},
	{fake::at_end, 'D', "dying", 0, STACK9_WHY_NONE, nullptr, 0,
	    after_do_exit, 1, 0},
	{fake::interrupted, 'R', "irq", 0, STACK9_WHY_NONE, nullptr,
	    STACK9_EXACT_FIRST, after_do_exit, 1, 0},
	{fake::text, 'S', "text", 0, STACK9_WHY_NONE, nullptr, STACK9_TEXT,
	    nullptr, 2, 0},
	{fake::nameless, 'I', "nameless", 0, STACK9_WHY_NONE, nullptr, 0,
	    nowhere, 1, 0},
	{fake::truncated, 'T', "deep", 0, STACK9_WHY_TRUNCATED, nullptr, 0,
	    usual, 3, 2},
	{fake::torn_short, 'P', "short", 0, STACK9_WHY_UNWIND, nullptr, 0,
	    usual, 1, 0},
	{fake::user_mode, 'R', "spin", EAGAIN, STACK9_WHY_USER_MODE, nullptr, 0,
	    nullptr, 0, 0},
	{fake::torn, 't', "torn", EAGAIN, STACK9_WHY_TORN, nullptr, 0, nullptr,
	    0, 0},
	{fake::zombie, '?', "", ESRCH, STACK9_WHY_ZOMBIE, nullptr, 0, nullptr,
	    0, 0},
	{fake::refused, 'S', "secret", EPERM, STACK9_WHY_RIGHTS,
	    "bpf(2) was refused", 0, nullptr, 0, 0},
	{fake::impossible, 'R', "old", EOPNOTSUPP, STACK9_WHY_MACHINE,
	    "this kernel has no BTF", 0, nullptr, 0, 0},
	{fake::hostile, 'S', "a\n\033]0;b\303\233", 0, STACK9_WHY_NONE, nullptr,
	    0, bad, 1, 0},
};
static_assert(std::size(cast) == fake::end - fake::whole);

bool
asked_for(const char *word)
{
	const char *list = std::getenv("STACK9_FAKE");
	return list != nullptr && std::strstr(list, word) != nullptr;
}

std::string
proc(pid_t tid)
{
	return "/proc/" + std::to_string(tid);
}

bool
exists(pid_t tid)
{
	struct stat st;
	return (tid > fake::process && tid < fake::end) || tid == fake::deep ||
	    stat(proc(tid).c_str(), &st) == 0;
}

role
role_of(pid_t tid)
{
	for (const role &r : cast)
		if (r.tid == tid)
			return r;
	role r = cast[0];
	r.tid = tid;
	r.comm = "someone";
	return r;
}

void
play(const role &r, pid_t pid, stack9_record &rec)
{
	rec.thread = {r.tid, pid, 1};
	rec.error = r.error;
	rec.why = r.why;
	rec.reason = r.reason;
	rec.route = "fake";
	rec.flags = r.flags;
	rec.dropped = r.dropped;
	rec.cpu = r.state == '?' ? -1 : 1;
	rec.state = r.state;
	std::snprintf(rec.comm, sizeof rec.comm, "%s", r.comm);
	rec.depth = std::min(r.depth, rec.max);
	if (rec.depth < r.depth) {
		rec.dropped = r.depth - rec.depth;
		rec.why = STACK9_WHY_TRUNCATED;
	}
	if (r.pcs != nullptr)
		std::copy_n(r.pcs, rec.depth, rec.pcs);
	if (r.flags & STACK9_TEXT) {
		std::snprintf(rec.text, rec.text_size, "%s", text_lines);
		std::fill_n(rec.pcs, rec.depth, 0);
	}
}

void
play_deep(stack9_record &rec)
{
	static const std::vector<std::uintptr_t> pcs(40, usual[1]);
	role r = role_of(fake::deep);
	r.pcs = pcs.data();
	r.depth = 40;
	play(r, fake::deep, rec);
}

void
refuse(stack9_record &rec)
{
	rec.error = EPERM;
	rec.why = STACK9_WHY_RIGHTS;
	rec.reason = "bpf(2) was refused";
	rec.depth = 0;
}

// The files of what is not dumpable belong to root.
void
turn(pid_t tid)
{
	struct stat st;
	kill(tid, SIGUSR1);
	const std::string file = proc(tid) + "/syscall";
	while (stat(file.c_str(), &st) == 0 && st.st_uid != 0)
		sched_yield();
}

std::vector<role>
members(pid_t pid)
{
	std::vector<role> all;
	if (pid == fake::process || pid == 0)
		all.assign(std::begin(cast), std::end(cast));
	for (int i = 0; pid == fake::crowd && i < fake::crowd_size; i++)
		all.push_back(role_of(fake::crowd + 1 + i));
	for (int i = 0; pid == fake::vanishing && i < 2; i++) {
		all.push_back(role_of(fake::zombie));
		all.push_back(role_of(fake::whole));
	}
	return all;
}

} // namespace

extern "C" int
stack9_thread_find(pid_t tid, struct stack9_thread *td)
{
	if (!exists(tid))
		return ESRCH;
	*td = {tid, tid < fake::process ? tid : fake::process, 1};
	return 0;
}

extern "C" int
stack9_save(enum stack9_side, const struct stack9_thread *td,
    struct stack9_record *rec)
{
	if (asked_for("turn"))
		turn(td->tid);
	if (td->tid == fake::deep)
		play_deep(*rec);
	else
		play(role_of(td->tid), td->pid, *rec);
	if (asked_for("no-rights")) {
		rec->state = '?';
		rec->cpu = -1;
		refuse(*rec);
	}
	return rec->error;
}

extern "C" int
stack9_each(enum stack9_side, pid_t pid, stack9_record_fn *fn, void *arg)
{
	if (asked_for("no-pass") || asked_for("no-rights"))
		return EPERM;
	const std::vector<role> all = members(pid);
	if (all.empty())
		return ESRCH;
	for (const role &r : all) {
		std::uintptr_t pcs[16];
		char text[256];
		stack9_record rec{};
		rec.pcs = pcs;
		rec.max = 16;
		rec.text = text;
		rec.text_size = sizeof text;
		play(r, pid ? pid : pid_t{fake::process}, rec);
		if (const int stop = fn(arg, &rec); stop != 0)
			return stop;
	}
	return asked_for("no-end") ? EMFILE : 0;
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
	default:
		return "another reason";
	}
}

extern "C" int
stack9_name(uintptr_t pc, unsigned int flags, struct stack9_symbol *sym)
{
	if (asked_for("names-hidden"))
		return EPERM;
	const std::uintptr_t at = pc - ((flags & STACK9_RETURN_ADDRESS) != 0);
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
	return fn(arg, "kernel stack of a running thread", "ipi",
	    other ? other : asked_for("half") ? EPERM : 0,
	    other ? no : "an interrupt");
}

extern "C" int
stack9_pin(const char *dir)
{
	return std::string(dir) == "/bpffs" ? 0 : EOPNOTSUPP;
}
