// Lists the system calls that are refused.  The names of hosts are found and
// TLS is spoken by libraries of other people.  These change, so a list of what
// is allowed would be wrong on the next machine.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "confine.h"

#include <csignal>

#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "arch/kernel_registers.h"
#include "os/call_filter.h"
#include "os/give_up.h"
#include "os/own_user.h"

namespace servers {
namespace {

using namespace stack9::call_filter;
namespace arch = stack9::arch;

// Calls that change files, or wait for others to connect.
constexpr long changes[] = {
#ifdef SYS_open
	SYS_creat, SYS_unlink, SYS_rename, SYS_mkdir, SYS_rmdir, SYS_link,
	SYS_symlink, SYS_mknod, SYS_chmod, SYS_chown, SYS_lchown,
#endif
#ifdef SYS_renameat
	SYS_renameat,
#endif
	SYS_unlinkat, SYS_renameat2, SYS_mkdirat, SYS_linkat, SYS_symlinkat,
	SYS_mknodat, SYS_fchmodat, SYS_fchmod, SYS_fchownat, SYS_fchown,
	SYS_truncate, SYS_ftruncate, SYS_fallocate, SYS_utimensat,
	SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr,
	SYS_lremovexattr, SYS_fremovexattr, SYS_listen, SYS_accept,
	SYS_accept4,
};

constexpr std::uint32_t families[] = {
	AF_UNIX, AF_INET, AF_INET6, AF_NETLINK,
};

constexpr std::uint32_t to_write = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC |
    O_APPEND;

// A filter that grows as it is made.
struct growing {
	std::array<sock_filter, 256> all{};
	std::size_t	n = begin_filter(all, arch::audit_arch,
			    arch::foreign_calls);

	constexpr void
	put(const sock_filter &one) noexcept
	{
		all[n++] = one;
	}
	constexpr void
	refuse(long call, int error) noexcept
	{
		put(jump(BPF_JMP | BPF_JEQ | BPF_K,
		    static_cast<std::uint32_t>(call), 0, 1));
		put(statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO |
		    static_cast<std::uint32_t>(error)));
	}
	// The argument has one of these bits.
	constexpr void
	refuse_bits(long call, unsigned int argument, std::uint32_t bits,
	    int error) noexcept
	{
		put(jump(BPF_JMP | BPF_JEQ | BPF_K,
		    static_cast<std::uint32_t>(call), 0, 4));
		load(argument);
		put(jump(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1));
		put(statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO |
		    static_cast<std::uint32_t>(error)));
		put(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
	}
	constexpr void
	load(unsigned int argument) noexcept
	{
		put(statement(BPF_LD | BPF_W | BPF_ABS,
		    static_cast<std::uint32_t>(offsetof(seccomp_data, args) +
		    argument * sizeof(std::uint64_t))));
	}
	constexpr made_filter<256>
	made() noexcept
	{
		put(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
		return {all, n};
	}
};

constexpr auto
filter_of_acts() noexcept
{
	growing f;
	for (const long call : acts)
		f.refuse(call, EPERM);
	return f.made();
}

constexpr auto
filter_of_changes() noexcept
{
	growing f;
	for (const long call : acts)
		f.refuse(call, EPERM);
	for (const long call : changes)
		f.refuse(call, EACCES);
	f.refuse(437, ENOSYS);		// openat2: its flags are in memory
#ifdef SYS_open
	f.refuse_bits(SYS_open, 1, to_write, EACCES);
#endif
	f.refuse_bits(SYS_openat, 2, to_write, EACCES);
	f.put(jump(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0,
	    3 + std::size(families)));
	f.load(0);
	for (std::size_t i = 0; i < std::size(families); i++)
		f.put(jump(BPF_JMP | BPF_JEQ | BPF_K, families[i],
		    static_cast<std::uint8_t>(std::size(families) - i), 0));
	f.put(statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAFNOSUPPORT));
	f.put(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
	return f.made();
}

// glibc asks clone(2) where there is no clone3(2), and a filter sees its flags.
constexpr auto
filter_of_starts() noexcept
{
	growing f;
#ifdef SYS_fork
	f.refuse(SYS_fork, EPERM);
	f.refuse(SYS_vfork, EPERM);
#endif
	f.refuse(435, ENOSYS);		// clone3
	f.put(jump(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4));
	f.load(0);
	f.put(jump(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0));
	f.put(statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
	f.put(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
	return f.made();
}

} // namespace

int
confine(int kept) noexcept
{
	static constexpr auto filter = filter_of_changes();
	for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE})
		std::signal(signal, SIG_IGN);
	const rlimit none{0, 0};
	if (setrlimit(RLIMIT_CORE, &none) != 0)
		return errno;
	if (const int error = stack9::close_all_but(kept); error != 0)
		return error;
	if (getuid() == 0)
		stack9::become_user_of_its_own();
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	if (const int error = stack9::drop_capabilities(); error != 0)
		return error;
	return install(filter);
}

int
start_nothing() noexcept
{
	static constexpr auto filter = filter_of_starts();
	return install(filter);
}

int
refuse_acts() noexcept
{
	static constexpr auto filter = filter_of_acts();
	const int error = stack9::drop_capabilities();
	return error != 0 ? error : install(filter);
}

} // namespace servers
