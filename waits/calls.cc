// Names system calls by their numbers, in a table that is made from
// <asm/unistd.h> when this is built.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "blocked.h"

#include <iterator>

#include <asm/unistd.h>
#include <sys/syscall.h>

namespace stack9::waits {
namespace {

struct known {
	const char	*name;
	int		number;
};

constexpr known known_calls[] = {
#include "syscall_names.inc"
};

struct arguments {
	int		number;
	std::uint32_t	count;
};

constexpr arguments counts[] = {
	{SYS_read, 3}, {SYS_write, 3}, {SYS_readv, 3}, {SYS_writev, 3},
	{SYS_pread64, 4}, {SYS_pwrite64, 4}, {SYS_close, 1}, {SYS_fsync, 1},
	{SYS_openat, 4}, {SYS_ioctl, 3}, {SYS_fcntl, 3}, {SYS_flock, 2},
	{SYS_accept, 3}, {SYS_accept4, 4}, {SYS_connect, 3},
	{SYS_recvfrom, 6}, {SYS_sendto, 6}, {SYS_recvmsg, 3},
	{SYS_sendmsg, 3}, {SYS_wait4, 4}, {SYS_waitid, 5},
	{SYS_nanosleep, 2}, {SYS_clock_nanosleep, 4}, {SYS_futex, 6},
	{SYS_ppoll, 5}, {SYS_pselect6, 6}, {SYS_epoll_pwait, 6},
	{SYS_rt_sigtimedwait, 4}, {SYS_rt_sigsuspend, 2}, {SYS_msgrcv, 5},
	{SYS_msgsnd, 4}, {SYS_semtimedop, 4}, {SYS_semop, 3},
	{SYS_munmap, 2}, {SYS_mmap, 6}, {SYS_exit_group, 1},
#ifdef SYS_open
	{SYS_open, 3}, {SYS_poll, 3}, {SYS_select, 5}, {SYS_epoll_wait, 4},
	{SYS_pause, 0}, {SYS_vfork, 0}, {SYS_mkdir, 2}, {SYS_stat, 2},
#endif
};

} // namespace

const char *
call_name(std::int64_t number) noexcept
{
	for (const known &k : known_calls)
		if (k.number == number)
			return k.name;
	return "";
}

std::uint32_t
call_arguments(std::int64_t number) noexcept
{
	for (const arguments &a : counts)
		if (a.number == number)
			return a.count;
	return 6;
}

} // namespace stack9::waits
