// Declares the peers that we are measured against.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <sys/types.h>

// Reads /proc/PID/task/TID/stack once, as cat does; its length.
long read_proc_stack(pid_t pid, pid_t tid);

// A BPF program of two instructions, to be run on a CPU by an interrupt: the
// floor under any look at a running thread.  -1 without the rights.
int load_empty_program();
void run_empty_program(int program, int cpu);
