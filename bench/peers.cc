// Defines the peers of kernel stacks.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "peers.h"

#include <cstdint>
#include <cstdio>

#include <fcntl.h>
#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

long
read_proc_stack(pid_t pid, pid_t tid)
{
	char path[64], text[4096];
	std::snprintf(path, sizeof path, "/proc/%d/task/%d/stack", pid, tid);
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	long n = 0, got;
	while ((got = read(fd, text, sizeof text)) > 0)
		n += got;
	close(fd);
	return n;
}

int
load_empty_program()
{
	const bpf_insn insns[] = {
		{BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0},
		{BPF_JMP | BPF_EXIT, 0, 0, 0, 0},
	};
	bpf_attr attr{};
	attr.prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT;
	attr.insns = reinterpret_cast<std::uintptr_t>(insns);
	attr.insn_cnt = 2;
	attr.license = reinterpret_cast<std::uintptr_t>("GPL");
	return static_cast<int>(syscall(SYS_bpf, BPF_PROG_LOAD, &attr,
	    sizeof attr));
}

void
run_empty_program(int program, int cpu)
{
	bpf_attr attr{};
	attr.test.prog_fd = static_cast<std::uint32_t>(program);
	attr.test.flags = BPF_F_TEST_RUN_ON_CPU;
	attr.test.cpu = static_cast<std::uint32_t>(cpu);
	syscall(SYS_bpf, BPF_PROG_TEST_RUN, &attr, sizeof attr);
}
