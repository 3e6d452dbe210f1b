// Reads the options of a watch, and opens the process that is watched.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <utility>

#include <sys/syscall.h>

#include "core/seam/thread.h"

#include "watch.h"

namespace stack9 {
namespace {

// Linux 6.9; older kernels refuse it.
constexpr unsigned int pidfd_thread = 0200;

constexpr unsigned int all_flags = STACK9_WATCH_ONE_CPU | STACK9_WATCH_REGEX |
    STACK9_WATCH_OTHERS | STACK9_WATCH_BY_PROCESS |
    STACK9_WATCH_FRAME_POINTERS | STACK9_WATCH_LIST | STACK9_WATCH_COPY |
    STACK9_WATCH_NATIVE |
    STACK9_WATCH_WAKERS;

int
pidfd_open(pid_t tid, unsigned int flags, unique_fd &to) noexcept
{
	to = unique_fd(static_cast<int>(syscall(SYS_pidfd_open, tid,
	    flags)));
	return to ? 0 : errno;
}

} // namespace

const char *
read_watch_options(const stack9_watch_options *from, stack9_watch_options &to)
    noexcept
{
	if (const char *const wrong = read_options(from, 96, to))
		return wrong;
	if (to.mode == 0)
		to.mode = STACK9_WATCH_COUNT;
	if (to.side == 0)
		to.side = STACK9_BOTH;
	const std::pair<bool, const char *> faults[] = {
	    {(to.flags & ~all_flags) != 0, unknown_option_flags},
	    {to.mode != STACK9_WATCH_COUNT && to.mode != STACK9_WATCH_STREAM,
	    "options->mode is none of STACK9_WATCH_COUNT and "
	    "STACK9_WATCH_STREAM"},
	    {to.side < STACK9_KERNEL || to.side > STACK9_BOTH, "options->side "
	    "is none of STACK9_KERNEL, STACK9_USER and STACK9_BOTH"},
	    {to.pid < 0, "options->pid is negative"},
	    {to.tid < 0, "options->tid is negative"},
	    {to.cpu < 0, "options->cpu is negative"},
	    {to.cpu != 0 && (to.flags & STACK9_WATCH_ONE_CPU) == 0,
	    "options->cpu is not 0, and flags lacks STACK9_WATCH_ONE_CPU"},
	    {to.reserved != 0, "options->reserved is not 0"},
	};
	for (const auto &[is, what] : faults)
		if (is)
			return what;
	return nullptr;
}

// Where threads have no pidfd, or there is none at all, the end is not seen.
int
open_watched(const stack9_watch_options &o, unique_fd &to) noexcept
{
	const pid_t tid = o.tid != 0 ? o.tid : o.pid;
	if (tid == 0)
		return 0;
	stack9_thread td{};
	thread_stat stat{};
	if (const int error = find_thread(tid, td, stat); error != 0)
		return error;
	if (o.pid != 0 && td.pid != o.pid)
		return ESRCH;
	const bool is_process = td.tid == td.pid && o.tid == 0;
	const int error = pidfd_open(tid, is_process ? 0 : pidfd_thread, to);
	return error == EINVAL || error == ENOSYS || error == EPERM ? 0 :
	    error;
}

} // namespace stack9
