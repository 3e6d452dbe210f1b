// Tries fentry by loading and attaching a program.  The kernel's version would
// not show it, because kernels are built and locked down in many ways.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "kernel_limits.h"

#include <cstdint>
#include <iterator>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/bpf.h>
#include <unistd.h>

#include "bpf/scoped.h"
#include "os/unique_fd.h"

namespace stack9::events {
namespace {

// return 0;
constexpr bpf_insn nothing[] = {
	{BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, 0},
	{BPF_JMP | BPF_EXIT, 0, 0, 0, 0},
};

// The options are const for libbpf 1.4 and before, and not for those after it.
int
load(bpf_prog_type type, bpf_prog_load_opts *opts)
{
	return bpf_prog_load(type, "stack9_trial", "Dual BSD/GPL", nothing,
	    std::size(nothing), opts);
}

} // namespace

trial_end
try_fentry(const std::string &function, int &error)
{
	const bpf::silence_libbpf no_prints;
	error = 0;
	if (!unique_fd(load(BPF_PROG_TYPE_RAW_TRACEPOINT, nullptr)))
		return trial_end::no_rights;
	const int id = libbpf_find_vmlinux_btf_id(function.c_str(),
	    BPF_TRACE_FENTRY);
	if (id <= 0)
		return trial_end::no_btf;
	LIBBPF_OPTS(bpf_prog_load_opts, opts);
	opts.expected_attach_type = BPF_TRACE_FENTRY;
	opts.attach_btf_id = static_cast<std::uint32_t>(id);
	const unique_fd program(load(BPF_PROG_TYPE_TRACING, &opts));
	if (program.get() < 0) {
		error = -program.get();
		return trial_end::not_loaded;
	}
	const unique_fd link(bpf_raw_tracepoint_open(nullptr, program.get()));
	if (link.get() >= 0)
		return trial_end::attached;
	error = -link.get();
	return trial_end::not_attached;
}

} // namespace stack9::events
