// Gives up descriptors, ids, capabilities and system calls, in this order.
//
// The filter is a list of what is allowed.  Rejected: to change to another user
// instead, because that takes a capability.  Root does both.  Rejected: to let
// open(2) through with the rights of the caller, because for root these are all
// files.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "sandbox.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch/kernel_registers.h"
#include "os/call_filter.h"
#include "os/give_up.h"
#include "os/own_user.h"

namespace stack9::sandbox {
namespace {

using namespace call_filter;

// AddressSanitizer asks for the signal stack where a function never returns.
constexpr long allowed[] = {
	SYS_recvmsg, SYS_sendmsg, SYS_pread64, SYS_read, SYS_futex, SYS_brk,
	SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise, SYS_close,
	SYS_fstat, SYS_newfstatat, SYS_statx, SYS_lseek, SYS_write,
	SYS_memfd_create, SYS_clock_gettime, SYS_getpid, SYS_gettid,
	SYS_getrandom, SYS_sched_yield, SYS_rt_sigprocmask, SYS_rt_sigreturn,
	SYS_restart_syscall, SYS_exit, SYS_exit_group, SYS_sigaltstack,
};

// Other commands of fcntl(2) send signals to other processes.
constexpr std::uint32_t commands[] = {
	F_DUPFD_CLOEXEC, F_ADD_SEALS, F_GETFD, F_GETFL,
};

constexpr long trapped[] = {
	SYS_openat,
#ifdef SYS_open
	SYS_open,
#endif
};

// A process that starts readers may make its twin, and the twin may take the
// reader's filter.
constexpr std::uint32_t clone_flags[] = {CLONE_PARENT | SIGCHLD};
constexpr std::uint32_t processes[] = {
	PR_SET_NAME, PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP,
};

template <bool Starts>
constexpr auto
make_filter() noexcept
{
	constexpr std::size_t list = 2 * (std::size(allowed) +
	    std::size(trapped)), choices = 2 * (std::size(commands) +
	    std::size(clone_flags) + std::size(processes)) + 9;
	std::array<sock_filter, 7 + list + choices + 2> f{};
	std::size_t n = begin_filter(f, arch::audit_arch,
	    arch::foreign_calls);
	const auto add = [&](std::uint32_t value, std::uint32_t what) {
		f[n++] = jump(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
		f[n++] = statement(BPF_RET | BPF_K, what);
	};
	// A call whose argument is one of these.
	const auto choose = [&](long call, unsigned int argument,
	    const auto &values) {
		f[n++] = jump(BPF_JMP | BPF_JEQ | BPF_K,
		    static_cast<std::uint32_t>(call), 0,
		    static_cast<std::uint8_t>(2 + 2 * std::size(values)));
		f[n++] = statement(BPF_LD | BPF_W | BPF_ABS,
		    static_cast<std::uint32_t>(offsetof(seccomp_data, args) +
		    argument * sizeof(std::uint64_t)));
		for (const std::uint32_t value : values)
			add(value, SECCOMP_RET_ALLOW);
		f[n++] = statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
	};
	for (const long call : allowed)
		add(static_cast<std::uint32_t>(call), SECCOMP_RET_ALLOW);
	for (const long call : trapped)
		add(static_cast<std::uint32_t>(call), SECCOMP_RET_TRAP);
	choose(SYS_fcntl, 1, commands);
	if (Starts) {
		choose(SYS_clone, 0, clone_flags);
		choose(SYS_prctl, 0, processes);
	}
	f[n++] = statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
	return std::pair(f, n);
}

constexpr auto
make_filter_of_acts() noexcept
{
	std::array<sock_filter, 7 + 2 * std::size(acts)> f{};
	std::size_t n = begin_filter(f, arch::audit_arch,
	    arch::foreign_calls);
	for (const long call : acts) {
		f[n++] = jump(BPF_JMP | BPF_JEQ | BPF_K,
		    static_cast<std::uint32_t>(call), 0, 1);
		f[n++] = statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
	}
	f[n++] = statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	return std::pair(f, n);
}

// libdw opens a descriptor of this process by its name in /proc: see
// symbols/split_file.cc.
long
open_again(const char *path) noexcept
{
	constexpr char folder[] = "proc/self/fd/";
	const std::size_t slashes = std::strspn(path, "/");
	if (slashes == 0 || std::strncmp(path + slashes, folder,
	    sizeof folder - 1) != 0)
		return -EACCES;
	int fd = 0;
	path = std::strrchr(path, '/') + 1;
	for (; *path >= '0' && *path <= '9' && fd < 1 << 24; path++)
		fd = 10 * fd + (*path - '0');
	const int copy = *path != '\0' ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 3);
	return copy < 0 ? -EACCES : copy;
}

void
on_trapped_call(int, siginfo_t *info, void *context)
{
	const int kept = errno;
	auto &at = *static_cast<ucontext_t *>(context);
	const int path = info->si_syscall == SYS_openat ? 1 : 0;
	arch::set_call_result(at, open_again(reinterpret_cast<const char *>(
	    arch::call_argument(at, path))));
	errno = kept;
}

} // namespace

// The end of a terminal's job ends the program, and the program's end ends this
// process.
int
give_up_rights(int kept, user as) noexcept
{
	for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE})
		std::signal(signal, SIG_IGN);
	const rlimit no_core{0, 0};
	const uid_t uid = getuid();
	const gid_t gid = getgid();
	if (setrlimit(RLIMIT_CORE, &no_core) != 0 ||
	    setresgid(gid, gid, gid) != 0 || setresuid(uid, uid, uid) != 0)
		return errno;
	const int error = close_all_but(kept);
	if (error == 0 && uid == 0 && as == user::of_its_own)
		become_user_of_its_own();
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);	// nobody may trace it
	return error != 0 ? error : drop_capabilities();
}

int
catch_refused_calls() noexcept
{
	struct sigaction trap{};
	trap.sa_sigaction = on_trapped_call;
	trap.sa_flags = SA_SIGINFO;
	return sigaction(SIGSYS, &trap, nullptr) != 0 ? errno : 0;
}

int
refuse_all_but_starts() noexcept
{
	static constexpr auto filter = make_filter<true>();
	return install(filter);
}

int
refuse_system_calls() noexcept
{
	static constexpr auto filter = make_filter<false>();
	return install(filter);
}

int
refuse_acts() noexcept
{
	static constexpr auto filter = make_filter_of_acts();
	return install(filter);
}

} // namespace stack9::sandbox
