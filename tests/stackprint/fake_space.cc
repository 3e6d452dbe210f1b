// Plays the fake libstack9's user addresses: a program, its C library, a
// library without unwind information, and memory of no file.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "fake_sample.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <sys/capability.h>
#include <unistd.h>

#include <stack9.h>

using fake::report_rights;

struct stack9_space {
	std::uintptr_t	shift;
	int		holders = 1;
};

namespace {

stack9_space *spaces[2];	// of fake::process, of others

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
	const char	*inlined;	// the call; NULL: the function's line
	const char	*file;
	unsigned int	 line, column;
	bool		 from_server;
} lines[] = {
	{fake::program + 0x304d, "_ZN3ngx4stepEv", "/src/step.h", 12, 3, false},
	{fake::program + 0x304d, nullptr, "/src/events.cc", 800, 0, false},
	{fake::program + 0x208b, nullptr, "/src/cycle.c", 721, 0, true},
	{fake::program + 0x19c5, nullptr, "/src/nginx.c", 387, 1, false},
};

const char *
readable(const char *name)
{
	const char *const names[][2] = {
		{"_ZN3ngx7process6eventsEi", "ngx::process::events(int)"},
		{"_ZN3ngx4stepEv", "ngx::step()"},
	};
	for (const auto &n : names)
		if (std::strcmp(n[0], name) == 0)
			return n[1];
	return name;
}

void
name_function(stack9_frame &f, std::uintptr_t own, std::uintptr_t at)
{
	for (const function &k : functions)
		if (at >= k.start && at - k.start < k.size) {
			f.linkage = k.name;
			f.name = readable(k.name);
			f.offset = own - k.start;
			f.size = k.size;
		}
}

// build_id has room for 20 bytes.
void
name_file(stack9_frame &f, unsigned char *build_id, std::uintptr_t own,
    std::uintptr_t at, std::uintptr_t shift)
{
	for (const mapped &m : files)
		if (at >= m.start && at - m.start < m.size) {
			f.module = m.path;
			f.start = m.start + shift;
			f.end = f.start + m.size;
			f.file_offset = own - m.start;
			f.vaddr = *m.path ? own - m.start : 0;
			f.build_id = build_id;
			f.build_id_size = m.build_id ? 20 : 0;
			std::memset(build_id, m.build_id, 20);
			f.flags |= m.deleted ? STACK9_FRAME_DELETED : 0;
		}
}

} // namespace

void
fake::report_rights(const char *what)
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

// Those of a process are one space, as long as somebody holds it.
stack9_space *
fake::space_of(pid_t pid)
{
	const std::uintptr_t shift = pid == fake::process ? 0 :
	    fake::twin_shift;
	stack9_space *&s = spaces[shift != 0];
	if (s != nullptr)
		return stack9_space_hold(s);
	return s = new stack9_space{shift};
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
	report_rights("open");
	*space = fake::space_of(td->pid);
	return 0;
}

// No record of the tests has a frame without a name.
extern "C" int
stack9_space_open_file(const char *, struct stack9_space **)
{
	return ENOENT;
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
	if (space == nullptr || --space->holders != 0)
		return;
	spaces[space->shift != 0] = nullptr;
	delete space;
}

int
fake::name_user(stack9_space *space, std::uint64_t pc, unsigned int flags,
    stack9_frame_fn *fn, void *arg)
{
	report_rights("name");
	const bool exact = (flags & STACK9_FRAMES_RETURN) == 0;
	const std::uintptr_t own = pc - space->shift, at = own - !exact;
	unsigned char build_id[20];
	stack9_frame f{};
	f.kind = STACK9_FRAME_FUNCTION;
	f.flags = exact ? STACK9_FRAME_EXACT : 0;
	f.pc = pc;
	f.name = f.linkage = f.module = f.file = "";
	name_function(f, own, at);
	name_file(f, build_id, own, at, space->shift);
	for (const auto &l : lines) {
		if (!(flags & STACK9_FRAMES_LINES) || l.pc != own ||
		    (l.from_server && !(flags & STACK9_FRAMES_DEBUGINFOD)))
			continue;
		stack9_frame in = f;
		stack9_frame &to = l.inlined != nullptr ? in : f;
		to.file = l.file;
		to.line = l.line;
		to.column = l.column;
		if (l.inlined == nullptr)
			continue;
		in.kind = STACK9_FRAME_INLINED;
		in.linkage = l.inlined;
		in.name = readable(l.inlined);
		in.offset = in.size = 0;
		if (fn(arg, &in) != 0)
			return ECANCELED;
	}
	return fn(arg, &f) != 0 ? ECANCELED : 0;
}
