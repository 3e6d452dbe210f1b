// Makes programs and maps by bpf(2) itself.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "refusal.h"

#include <cstdint>
#include <cstring>

#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "os/unique_fd.h"

namespace stack9::bpf {
namespace {

int
make(bpf_cmd command, bpf_attr &attr) noexcept
{
	const long fd = syscall(SYS_bpf, command, &attr, sizeof attr);
	const int error = fd < 0 ? errno : 0;
	unique_fd(static_cast<int>(fd)).reset();
	return error;
}

} // namespace

int
try_to_load(std::span<const bpf_insn> code, unsigned int flags) noexcept
{
	bpf_attr attr{};
	attr.prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT;
	attr.insns = reinterpret_cast<std::uintptr_t>(code.data());
	attr.insn_cnt = static_cast<__u32>(code.size());
	attr.prog_flags = flags;
	attr.license = reinterpret_cast<std::uintptr_t>("Dual BSD/GPL");
	std::strcpy(attr.prog_name, "stack9_trial");
	return make(BPF_PROG_LOAD, attr);
}

int
try_to_make_map() noexcept
{
	bpf_attr attr{};
	attr.map_type = BPF_MAP_TYPE_ARRAY;
	attr.key_size = attr.value_size = 4;
	attr.max_entries = 1;
	std::strcpy(attr.map_name, "stack9_trial");
	return make(BPF_MAP_CREATE, attr);
}

} // namespace stack9::bpf
