// Tries whether programs on tracepoints may sleep.  A kernel that lets them
// sleep may preempt all programs on the tracepoints of system calls.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "backends/linux-events/probes/syscalls.h"

#include <linux/bpf.h>

#include "bpf/refusal.h"

namespace stack9::events {
namespace {

// return 0;
constexpr bpf_insn nothing[] = {
	{BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, 0},
	{BPF_JMP | BPF_EXIT, 0, 0, 0, 0},
};

} // namespace

bool
preempts_calls() noexcept
{
	return bpf::try_to_load(nothing, BPF_F_SLEEPABLE) == 0;
}

} // namespace stack9::events
