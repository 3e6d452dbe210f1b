// Attaches a program that does nothing, and one that only calls
// bpf_get_stack().
//
// SPDX-License-Identifier: BSD-2-Clause
#include "events_bare.h"

#include <cstdlib>
#include <initializer_list>

#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

constexpr int room = 127 * sizeof(std::uint64_t);
constexpr std::uint32_t stacks = 65536;

int
bpf(bpf_cmd command, bpf_attr &attr)
{
	return static_cast<int>(syscall(SYS_bpf, command, &attr, sizeof attr));
}

int
make_map(bpf_map_type type, std::uint32_t value, std::uint32_t entries)
{
	bpf_attr attr{};
	attr.map_type = type;
	attr.key_size = sizeof(std::uint32_t);
	attr.value_size = value;
	attr.max_entries = entries;
	return bpf(BPF_MAP_CREATE, attr);
}

constexpr bpf_insn
insn(int code, int dst, int src, int off, int imm)
{
	return {static_cast<std::uint8_t>(code),
	    static_cast<std::uint8_t>(dst & 15),
	    static_cast<std::uint8_t>(src & 15),
	    static_cast<std::int16_t>(off), imm};
}

constexpr bpf_insn
set(int dst, int imm)
{
	return insn(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, imm);
}

constexpr bpf_insn
copy(int dst, int src)
{
	return insn(BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0);
}

constexpr bpf_insn
call(int helper)
{
	return insn(BPF_JMP | BPF_CALL, 0, 0, 0, helper);
}

// Over so many instructions, where they differ.
constexpr bpf_insn
skip_unless(int dst, int imm, int off)
{
	return insn(BPF_JMP | BPF_JNE | BPF_K, dst, 0, off, imm);
}

template <std::size_t N>
int
load(bpf_prog_type type, const bpf_insn (&program)[N])
{
	bpf_attr attr{};
	attr.prog_type = type;
	attr.insns = reinterpret_cast<std::uintptr_t>(program);
	attr.insn_cnt = N;
	attr.license = reinterpret_cast<std::uintptr_t>("GPL");
	return bpf(BPF_PROG_LOAD, attr);
}

int
load_empty()
{
	const bpf_insn program[] = {
		set(0, 0),
		insn(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};
	return load(BPF_PROG_TYPE_RAW_TRACEPOINT, program);
}

int
load_walk(int map, pid_t pid, bool user)
{
	const bpf_insn program[] = {
		copy(6, 1),
		call(BPF_FUNC_get_current_pid_tgid),
		insn(BPF_ALU64 | BPF_RSH | BPF_K, 0, 0, 0, 32),
		skip_unless(0, pid, 12),
		insn(BPF_ST | BPF_MEM | BPF_W, 10, 0, -4, 0),
		copy(2, 10),
		insn(BPF_ALU64 | BPF_ADD | BPF_K, 2, 0, 0, -4),
		insn(BPF_LD | BPF_IMM | BPF_DW, 1, BPF_PSEUDO_MAP_FD, 0, map),
		insn(0, 0, 0, 0, 0),
		call(BPF_FUNC_map_lookup_elem),
		insn(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 5, 0),
		copy(1, 6),
		copy(2, 0),
		set(3, room),
		set(4, user ? BPF_F_USER_STACK : 0),
		call(BPF_FUNC_get_stack),
		set(0, 0),
		insn(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};
	return load(BPF_PROG_TYPE_TRACEPOINT, program);
}

// Counts the id that the kernel's map gives the stack.
int
load_map_walk(int map, int counts, pid_t pid, bool user)
{
	const bpf_insn program[] = {
		copy(6, 1),
		call(BPF_FUNC_get_current_pid_tgid),
		insn(BPF_ALU64 | BPF_RSH | BPF_K, 0, 0, 0, 32),
		skip_unless(0, pid, 24),
		copy(1, 6),
		insn(BPF_LD | BPF_IMM | BPF_DW, 2, BPF_PSEUDO_MAP_FD, 0, map),
		insn(0, 0, 0, 0, 0),
		set(3, user ? BPF_F_USER_STACK : 0),
		call(BPF_FUNC_get_stackid),
		insn(BPF_STX | BPF_MEM | BPF_W, 10, 0, -4, 0),
		copy(2, 10),
		insn(BPF_ALU64 | BPF_ADD | BPF_K, 2, 0, 0, -4),
		insn(BPF_LD | BPF_IMM | BPF_DW, 1, BPF_PSEUDO_MAP_FD, 0,
		    counts),
		insn(0, 0, 0, 0, 0),
		call(BPF_FUNC_map_lookup_elem),
		insn(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3, 0),
		set(1, 1),
		insn(BPF_STX | BPF_ATOMIC | BPF_DW, 0, 1, 0, BPF_ADD),
		insn(BPF_JMP | BPF_JA, 0, 0, 9, 0),
		insn(BPF_ST | BPF_MEM | BPF_DW, 10, 0, -16, 1),
		copy(2, 10),
		insn(BPF_ALU64 | BPF_ADD | BPF_K, 2, 0, 0, -4),
		copy(3, 10),
		insn(BPF_ALU64 | BPF_ADD | BPF_K, 3, 0, 0, -16),
		set(4, BPF_NOEXIST),
		insn(BPF_LD | BPF_IMM | BPF_DW, 1, BPF_PSEUDO_MAP_FD, 0,
		    counts),
		insn(0, 0, 0, 0, 0),
		call(BPF_FUNC_map_update_elem),
		set(0, 0),
		insn(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};
	return load(BPF_PROG_TYPE_TRACEPOINT, program);
}

// Where the library attaches too, if it is for the kernel's side: what
// perf_event_open(2) knows the tracepoint by is in tracefs.  This need not be
// mounted to be read.  Kernels before 6.12 have no kernel's side there.
std::uint64_t
tracepoint_number(const std::string &name)
{
	char digits[32] = "";
	const int context = fsopen("tracefs", FSOPEN_CLOEXEC);
	fsconfig(context, FSCONFIG_CMD_CREATE, nullptr, nullptr, 0);
	const int root = fsmount(context, FSMOUNT_CLOEXEC, 0);
	const int file = openat(root, ("events/syscalls/" + name +
	    "/id").c_str(), O_RDONLY | O_CLOEXEC);
	if (file < 0 || read(file, digits, sizeof digits - 1) < 0)
		digits[0] = '\0';
	for (const int fd : {file, root, context})
		if (fd >= 0)
			close(fd);
	return std::strtoull(digits, nullptr, 10);
}

} // namespace

bare_walk::bare_walk(pid_t pid, const std::string &tracepoint, bool user,
    bool in_map)
    : map_(in_map ? make_map(BPF_MAP_TYPE_STACK_TRACE, room, stacks) :
      make_map(BPF_MAP_TYPE_PERCPU_ARRAY, room, 1)),
      counts_(in_map ? make_map(BPF_MAP_TYPE_HASH, sizeof(std::uint64_t),
      stacks) : -1),
      program_(in_map ? load_map_walk(map_, counts_, pid, user) :
      load_walk(map_, pid, user))
{
	perf_event_attr attr{};
	attr.size = sizeof attr;
	attr.type = PERF_TYPE_TRACEPOINT;
	attr.config = tracepoint_number(tracepoint);
	event_ = static_cast<int>(syscall(SYS_perf_event_open, &attr, -1, 0,
	    -1, PERF_FLAG_FD_CLOEXEC));
	is_there_ = ioctl(event_, PERF_EVENT_IOC_SET_BPF, program_) == 0 &&
	    ioctl(event_, PERF_EVENT_IOC_ENABLE, 0) == 0;
}

bare_walk::~bare_walk()
{
	for (const int fd : {event_, program_, counts_, map_})
		if (fd >= 0)
			close(fd);
}

empty_program::empty_program() : program_(load_empty())
{
	bpf_attr attr{};
	attr.raw_tracepoint.name = reinterpret_cast<std::uintptr_t>(
	    "sys_enter");
	attr.raw_tracepoint.prog_fd = static_cast<std::uint32_t>(program_);
	event_ = bpf(BPF_RAW_TRACEPOINT_OPEN, attr);
}

empty_program::~empty_program()
{
	for (const int fd : {event_, program_})
		if (fd >= 0)
			close(fd);
}
