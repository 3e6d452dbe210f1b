// Loads a program of a few instructions that reads kernel memory.  Capabilities
// alone do not show it: a lockdown, a seccomp filter or a limit may refuse it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "programs.h"

#include <cerrno>

#include <linux/bpf.h>
#include <unistd.h>

#include "bpf/refusal.h"

namespace stack9::events {
namespace {

// bpf_probe_read_kernel(fp - 8, 8, NULL); return 0;
constexpr bpf_insn trial[] = {
	{BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_1, BPF_REG_10, 0, 0},
	{BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_1, 0, 0, -8},
	{BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_2, 0, 0, 8},
	{BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_3, 0, 0, 0},
	{BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_probe_read_kernel},
	{BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, 0},
	{BPF_JMP | BPF_EXIT, 0, 0, 0, 0},
};

} // namespace

// Each CPU has counts of its own, so their number has to be known.
verdict
find_sys() noexcept
{
	if (access("/sys/devices/system/cpu/possible", R_OK) == 0)
		return {0, nullptr};
	return {EOPNOTSUPP, access("/sys/kernel/btf/vmlinux", R_OK) == 0 ?
	    "no /sys/devices/system/cpu/possible" :
	    "no /sys/kernel/btf/vmlinux and no "
	    "/sys/devices/system/cpu/possible: /sys is not mounted, or hidden "
	    "here"};
}

verdict
try_reader() noexcept
{
	if (const verdict v = find_sys(); v.error != 0)
		return v;
	return bpf::explain(bpf::try_to_load(trial), "needs BPF programs that "
	    "read kernel memory (Linux 5.5)");
}

} // namespace stack9::events
