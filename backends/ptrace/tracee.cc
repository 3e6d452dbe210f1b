// Makes the ptrace(2) calls on one thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "tracee.h"

#include <cerrno>
#include <csignal>
#include <cstdint>

#include <sys/ptrace.h>
#include <sys/wait.h>

namespace stack9::tracing {
namespace {

constexpr int event_stop = 128;	// PTRACE_EVENT_STOP, <linux/ptrace.h>

// waitid(2) also reports stops that nobody asked for here.
bool
is_gone(pid_t tid) noexcept
{
	siginfo_t news{};
	return waitid(P_PID, static_cast<id_t>(tid), &news, WEXITED | WNOWAIT |
	    WNOHANG | __WALL | __WNOTHREAD) != 0 || (news.si_pid != 0 &&
	    news.si_code != CLD_TRAPPED && news.si_code != CLD_STOPPED);
}

} // namespace

int
seize(pid_t tid) noexcept
{
	return ptrace(PTRACE_SEIZE, tid, nullptr, nullptr) == 0 ? 0 : errno;
}

// EIO: the kernel has released the thread meanwhile, as it does with a first
// thread once another one has called execve(2) (ptrace_request(),
// kernel/ptrace.c, Linux 6.18).
int
interrupt(pid_t tid) noexcept
{
	if (ptrace(PTRACE_INTERRUPT, tid, nullptr, nullptr) == 0)
		return 0;
	return errno == EIO ? ESRCH : errno;
}

posture
posture_of(pid_t tid, int &signal) noexcept
{
	siginfo_t why{};
	if (ptrace(PTRACE_GETSIGINFO, tid, nullptr, &why) == 0) {
		signal = why.si_code >> 8 == event_stop ? 0 : why.si_signo;
		return posture::stopped;
	}
	return is_gone(tid) ? posture::gone : posture::moving;
}

void
detach(pid_t tid, int signal) noexcept
{
	ptrace(PTRACE_DETACH, tid, nullptr,
	    reinterpret_cast<void *>(static_cast<std::intptr_t>(signal)));
}

void
reap(pid_t tid) noexcept
{
	siginfo_t end;
	waitid(P_PID, static_cast<id_t>(tid), &end, WEXITED | WNOHANG | __WALL);
}

} // namespace stack9::tracing
