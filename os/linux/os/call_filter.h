// Makes the parts of filters of system calls, for seccomp(2).
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

namespace stack9::call_filter {

// Calls that a program which speaks with servers never needs.
inline constexpr long acts[] = {
	SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kill,
	SYS_tkill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo,
	SYS_pidfd_open, SYS_pidfd_getfd, SYS_pidfd_send_signal, SYS_kcmp,
	SYS_bpf, SYS_perf_event_open, SYS_execve, SYS_execveat, SYS_mount,
	SYS_umount2, SYS_move_mount, SYS_open_tree, SYS_fsopen, SYS_pivot_root,
	SYS_chroot, SYS_setns, SYS_unshare, SYS_add_key, SYS_request_key,
	SYS_keyctl, SYS_init_module, SYS_finit_module, SYS_delete_module,
	SYS_kexec_load, SYS_reboot, SYS_userfaultfd, SYS_io_uring_setup,
};

constexpr sock_filter
statement(int code, std::uint32_t k) noexcept
{
	return {static_cast<std::uint16_t>(code), 0, 0, k};
}

constexpr sock_filter
jump(int code, std::uint32_t k, std::uint8_t yes, std::uint8_t no) noexcept
{
	return {static_cast<std::uint16_t>(code), yes, no, k};
}

// Loads the number of the system call, and ends callers of another ABI.
template <std::size_t Size>
constexpr std::size_t
begin_filter(std::array<sock_filter, Size> &f, std::uint32_t audit_arch,
    std::uint32_t foreign_calls) noexcept
{
	f[0] = statement(BPF_LD | BPF_W | BPF_ABS,
	    offsetof(seccomp_data, arch));
	f[1] = jump(BPF_JMP | BPF_JEQ | BPF_K, audit_arch, 1, 0);
	f[2] = statement(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	f[3] = statement(BPF_LD | BPF_W | BPF_ABS,
	    offsetof(seccomp_data, nr));
	f[4] = jump(BPF_JMP | BPF_JGE | BPF_K, foreign_calls, 0, 1);
	f[5] = statement(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	return 6;
}

// A filter, and how much of it is used.
template <std::size_t Size>
using made_filter = std::pair<std::array<sock_filter, Size>, std::size_t>;

// Calls that a filter has refused once stay refused.  0, or an errno.
template <std::size_t Size>
int
install(const made_filter<Size> &filter) noexcept
{
	const auto &[all, used] = filter;
	const sock_fprog program{static_cast<unsigned short>(used),
	    const_cast<sock_filter *>(all.data())};
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0 ? errno :
	    0;
}

} // namespace stack9::call_filter
