// See events_bare.h.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "events_bare.h"

#include <initializer_list>

#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

constexpr int room = 127 * sizeof(std::uint64_t);

int
bpf(bpf_cmd command, bpf_attr &attr)
{
	return static_cast<int>(syscall(SYS_bpf, command, &attr, sizeof attr));
}

int
make_map()
{
	bpf_attr attr{};
	attr.map_type = BPF_MAP_TYPE_PERCPU_ARRAY;
	attr.key_size = sizeof(std::uint32_t);
	attr.value_size = room;
	attr.max_entries = 1;
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

int
load(int map, pid_t pid, int number, bool user)
{
	const bpf_insn program[] = {
		copy(6, 1),
		call(BPF_FUNC_get_current_pid_tgid),
		insn(BPF_ALU64 | BPF_RSH | BPF_K, 0, 0, 0, 32),
		skip_unless(0, pid, 14),
		insn(BPF_LDX | BPF_MEM | BPF_DW, 1, 6, 8, 0),	// its number
		skip_unless(1, number, 12),
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
	bpf_attr attr{};
	attr.prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT;
	attr.insns = reinterpret_cast<std::uintptr_t>(program);
	attr.insn_cnt = sizeof program / sizeof program[0];
	attr.license = reinterpret_cast<std::uintptr_t>("GPL");
	return bpf(BPF_PROG_LOAD, attr);
}

} // namespace

bare_walk::bare_walk(pid_t pid, int number, bool user)
    : map_(make_map()), program_(load(map_, pid, number, user))
{
	bpf_attr attr{};
	attr.raw_tracepoint.name = reinterpret_cast<std::uintptr_t>(
	    "sys_enter");
	attr.raw_tracepoint.prog_fd = static_cast<std::uint32_t>(program_);
	if (program_ >= 0)
		link_ = bpf(BPF_RAW_TRACEPOINT_OPEN, attr);
}

bare_walk::~bare_walk()
{
	for (const int fd : {link_, program_, map_})
		if (fd >= 0)
			close(fd);
}
