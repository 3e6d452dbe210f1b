// The fake libstack9's user addresses: a program, its C library, a library
// without unwind information, and memory of no file.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "fake.h"

#include <cstdlib>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>

#include <sys/capability.h>
#include <unistd.h>

#include <stack9.h>

using fake::tell_rights;

struct stack9_space {
	std::uintptr_t	shift;
	int		holders = 1;
};

namespace {

struct mapped {
	std::uintptr_t	 start, size;
	const char	*path;
	unsigned char	 build_id;	// each byte of it; 0: none
	bool		 deleted;
};

const mapped files[] = {
	{fake::program, 0x10000, "/usr/sbin/nginx", 0xab, true},
	{fake::libc, 0x10000, "/usr/lib/libc.so.6", 0xcd, false},
	{fake::odd, 0x10000, "/opt/lib\033odd.so", 0, false},
	{fake::anonymous, 0x1000, "", 0, false},
};

struct function {
	std::uintptr_t	 start, size;
	const char	*name;
};

const function functions[] = {
	{fake::program + 0x1000, 0x1000, "main"},
	{fake::program + 0x2000, 0x1000, "ngx_worker_process_cycle"},
	{fake::program + 0x3000, 0x1000, "_ZN3ngx7process6eventsEi"},
	{fake::program + 0x4000, 0x1000, "bad\377\033name"},
	{fake::libc + 0x8000, 0x0100, "epoll_wait"},
	{fake::odd + 0x0000, 0x1000, "odd"},
};

const struct {
	std::uintptr_t	 pc;
	stack9_line	 line;
	bool		 from_server;
} lines[] = {
	{fake::program + 0x304d, {"_ZN3ngx4stepEv", "/src/step.h", 12, 3, 1},
	    false},
	{fake::program + 0x304d,
	    {"_ZN3ngx7process6eventsEi", "/src/events.cc", 800, 0, 0}, false},
	{fake::program + 0x208b,
	    {"ngx_worker_process_cycle", "/src/cycle.c", 721, 0, 0}, true},
	{fake::program + 0x19c5, {"main", "/src/nginx.c", 387, 1, 0}, false},
};

} // namespace

void
fake::tell_rights(const char *what)
{
	if (!fake::asked_for("rights"))
		return;
	const cap_t caps = cap_get_pid(0);	// not by the one below
	cap_flag_value_t effective = CAP_CLEAR, permitted = CAP_CLEAR;
	cap_get_flag(caps, CAP_BPF, CAP_EFFECTIVE, &effective);
	cap_get_flag(caps, CAP_BPF, CAP_PERMITTED, &permitted);
	cap_free(caps);
	std::fprintf(stderr, "%s: effective %d permitted %d euid %d\n", what,
	    effective == CAP_SET, permitted == CAP_SET, geteuid() == 0);
}

// For the word caps-fail-at-N.  In the place of libcap's.
extern "C" cap_t
cap_get_proc()
{
	static int calls = 0;
	static constexpr char word[] = "caps-fail-at-";
	const char *const list = std::getenv("STACK9_FAKE");
	const char *const at = list == nullptr ? nullptr :
	    std::strstr(list, word);
	if (at != nullptr && ++calls == std::atoi(at + sizeof word - 1)) {
		std::fprintf(stderr, "caps failed\n");
		errno = ENOMEM;
		return nullptr;
	}
	return cap_get_pid(0);
}

extern "C" int
stack9_space_open(const struct stack9_thread *td, struct stack9_space **space)
{
	tell_rights("open");
	*space = new stack9_space{
	    td->pid == fake::process ? 0 : fake::twin_shift};
	return 0;
}

extern "C" struct stack9_space *
stack9_space_hold(struct stack9_space *space)
{
	space->holders++;
	return space;
}

extern "C" void
stack9_space_close(struct stack9_space *space)
{
	if (space != nullptr && --space->holders == 0)
		delete space;
}

extern "C" int
stack9_space_name(struct stack9_space *space, uintptr_t pc, unsigned int flags,
    struct stack9_symbol *sym)
{
	tell_rights("name");
	const std::uintptr_t own = pc - space->shift;
	const std::uintptr_t at = own - ((flags & STACK9_RETURN_ADDRESS) != 0);
	for (const function &f : functions)
		if (at >= f.start && at - f.start < f.size) {
			std::strcpy(sym->name, f.name);
			sym->offset = own - f.start;
			sym->size = f.size;
			return 0;
		}
	return ENOENT;
}

extern "C" int
stack9_space_module(struct stack9_space *space, uintptr_t pc,
    struct stack9_module *module)
{
	const std::uintptr_t own = pc - space->shift;
	for (const mapped &m : files)
		if (own >= m.start && own - m.start < m.size) {
			*module = {};
			module->path = m.path;
			module->start = m.start + space->shift;
			module->end = module->start + m.size;
			module->offset = own - m.start;
			module->vaddr = *m.path ? own - m.start : 0;
			module->build_id_size = m.build_id ? 20 : 0;
			std::memset(module->build_id, m.build_id, 20);
			module->deleted = m.deleted;
			return 0;
		}
	return ENOENT;
}

extern "C" int
stack9_space_lines(struct stack9_space *space, uintptr_t pc,
    unsigned int flags, stack9_line_fn *fn, void *arg)
{
	bool any = false;
	for (const auto &l : lines) {
		if (l.pc != pc - space->shift ||
		    (l.from_server && !(flags & STACK9_DEBUGINFOD)))
			continue;
		any = true;
		if (const int stop = fn(arg, &l.line); stop != 0)
			return stop;
	}
	return any ? 0 : ENOENT;
}

extern "C" int
stack9_demangle(const char *name, char *text, size_t size)
{
	const char *const names[][2] = {
		{"_ZN3ngx7process6eventsEi", "ngx::process::events(int)"},
		{"_ZN3ngx4stepEv", "ngx::step()"},
	};
	for (const auto &n : names)
		if (std::strcmp(n[0], name) == 0) {
			std::snprintf(text, size, "%s", n[1]);
			return 0;
		}
	return ENOENT;
}
