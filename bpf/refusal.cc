// Finds the reason for an ambiguous errno.  The kernel says EPERM for a lack of
// rights, for a lack of locked memory, and for seccomp; it says EACCES and
// EINVAL for rights that only the verifier missed; libbpf says ESRCH for a
// kernel without BTF.  Each reason gets its own sentence here.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "refusal.h"

#include <cstdio>
#include <cstring>
#include <memory>

#include <linux/bpf.h>
#include <sys/capability.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace stack9::bpf {
namespace {

struct cap_freer {
	void operator()(cap_t c) const noexcept { cap_free(c); }
};

bool
holds(cap_t caps, cap_value_t which) noexcept
{
	cap_flag_value_t value = CAP_CLEAR;
	return cap_get_flag(caps, which, CAP_EFFECTIVE, &value) == 0 &&
	    value == CAP_SET;
}

constexpr std::uint64_t may_bpf = 1, may_perfmon = 2;

// Before 5.11 the memory of maps and programs was charged to the user as locked
// memory, and EPERM was the errno for too much of it.  How much may be too much
// is not known: other processes of the user have their share.  Kernels since
// then have the helper that the program below calls, and the kernel charges a
// program before it looks at it.
bool
locked_memory_is_charged() noexcept
{
	constexpr bpf_insn ask[] = {
		{BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_ktime_get_coarse_ns},
		{BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, 0},
		{BPF_JMP | BPF_EXIT, 0, 0, 0, 0},
	};
	rlimit limit{};
	if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0 ||
	    limit.rlim_cur == RLIM_INFINITY)
		return false;
	if (const int error = try_to_load(ask); error != EPERM)
		return error != 0;
	// A seccomp filter may refuse programs alone; a limit that is used up
	// refuses the smallest map.
	return try_to_make_map() == EPERM;
}

// Returns true if bpf(2) gets as far as refusing an argument.  It has then
// checked for a capability in the init user namespace and has not yet used
// memory, so neither seccomp nor a user namespace was the obstacle.
bool
bpf_listens() noexcept
{
	bpf_attr attr{};
	return syscall(SYS_bpf, BPF_BTF_LOAD, &attr, sizeof attr) < 0 &&
	    errno != EPERM;
}

bool
is_confidential() noexcept
{
	char text[64] = "";
	if (FILE *f = std::fopen("/sys/kernel/security/lockdown", "re")) {
		if (std::fgets(text, sizeof text, f) == nullptr)
			text[0] = '\0';
		std::fclose(f);
	}
	return std::strstr(text, "[confidentiality]") != nullptr;
}

} // namespace

std::uint64_t
rights() noexcept
{
	const std::unique_ptr<std::remove_pointer_t<cap_t>, cap_freer> caps(
	    cap_get_proc());
	if (caps == nullptr)
		return 0;
	const bool admin = holds(caps.get(), CAP_SYS_ADMIN);
	std::uint64_t held = 0;
	if (admin || holds(caps.get(), CAP_BPF))
		held |= may_bpf;
	if (admin || holds(caps.get(), CAP_PERFMON))
		held |= may_perfmon;
	return held;
}

verdict
explain(int error, const char *lacking) noexcept
{
	switch (error) {
	case 0:
		return {0, nullptr};
	case EAGAIN:
	case EINTR:
	case EBUSY:
		return {EAGAIN, "the kernel was interrupted; ask again"};
	case ENOMEM:
		return {error, "out of memory"};
	case EMFILE:
	case ENFILE:
		return {error, "out of file descriptors"};
	case ENOSYS:
		return {EOPNOTSUPP, "bpf(2) does not exist here"};
	}
	switch (rights()) {
	case 0:
		return {EPERM, "needs CAP_BPF and CAP_PERFMON (has neither)"};
	case may_bpf:
		return {EPERM, "needs CAP_PERFMON beside CAP_BPF"};
	case may_perfmon:
		return {EPERM, "needs CAP_BPF beside CAP_PERFMON"};
	}
	if (error == EPERM && bpf_listens() && locked_memory_is_charged())
		return {ENOMEM, "RLIMIT_MEMLOCK is too small (ulimit -l)"};
	if (error == EPERM)
		return {EPERM, "bpf(2) is refused although the capabilities "
		    "are there: seccomp, lockdown or a user namespace"};
	if (is_confidential())
		return {EOPNOTSUPP, "kernel lockdown (confidentiality) keeps "
		    "programs from reading kernel memory"};
	if (access("/sys/kernel/btf/vmlinux", R_OK) != 0)
		return {EOPNOTSUPP, "no /sys/kernel/btf/vmlinux: the kernel "
		    "has no BTF, or it is hidden here"};
	return {EOPNOTSUPP, lacking};
}

int
failure(int error) noexcept
{
	switch (error) {
	case ESRCH:
	case EAGAIN:
	case EINVAL:
	case ENOENT:
		return EIO;
	}
	return error;
}

bool
kept_refusal::stands() const noexcept
{
	return answer_.error == EOPNOTSUPP ||
	    (answer_.error == EPERM && rights_ == rights());
}

verdict
kept_refusal::keep(int error, const char *lacking) noexcept
{
	rights_ = rights();
	return answer_ = explain(error, lacking);
}

} // namespace stack9::bpf
