// Handles a signal of a crash: reports the first one, and then lets each signal
// have the effect that it would have had.
//
// That effect is not imitated.  The signal's disposition of before is restored,
// and the signal is sent once more, with all that the kernel said of it.  It
// comes as soon as this handler returns, with the registers of the crash: to
// the program's own handler with the flags and the mask that the program gave
// it, or to the kernel.  The kernel writes the core.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>
#include <cerrno>

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "os/clocks.h"
#include "os/uncancelled.h"

#include "crash.h"
#include "signals.h"
#include "system_action.h"

namespace stack9::crash {
namespace {

// The thread that reports; 0: there was no crash.
constinit std::atomic<pid_t> reporter{0};
constinit std::atomic<bool> reported{false};
// The signal of the reporter, for a second crash in the report.
constinit std::atomic<const siginfo_t *> first_info{nullptr};

constexpr std::int64_t patience_ns = 20000000000;

bool
is_fault(const siginfo_t &info) noexcept
{
	return info.si_code > 0;
}

// The signal is blocked until the handler returns, and so comes with the
// registers of the crash.
void
send_again(const siginfo_t &info) noexcept
{
	sigset_t only;
	sigemptyset(&only);
	sigaddset(&only, info.si_signo);
	sigprocmask(SIG_BLOCK, &only, nullptr);
	siginfo_t same = info;
	const auto tid = static_cast<pid_t>(syscall(SYS_gettid));
	if (syscall(SYS_rt_tgsigqueueinfo, getpid(), tid, info.si_signo,
	    &same) != 0)
		syscall(SYS_tgkill, getpid(), tid, info.si_signo);
}

// An instruction that faults cannot ignore its signal: the kernel then ends the
// program.
void
pass_on(const siginfo_t &info) noexcept
{
	struct sigaction to = before(info.si_signo);
	const bool ignored = (to.sa_flags & SA_SIGINFO) == 0 &&
	    to.sa_handler == SIG_IGN;
	if (ignored && !is_fault(info))
		return;
	if (ignored)
		to.sa_handler = SIG_DFL;
	restore_handlers();
	system_action(info.si_signo, &to, nullptr);
	send_again(info);
}

// Another thread crashes while the first one reports.  Its stack is part of the
// report.
void
await_report() noexcept
{
	const std::int64_t until = monotonic_ns() + patience_ns;
	while (!reported && monotonic_ns() < until) {
		const timespec pause{0, 10000000};
		nanosleep(&pause, nullptr);
	}
}

// The report itself has crashed.  The first signal is the one that counts, and
// this handler never returns into the report.
[[noreturn]] void
give_up(const siginfo_t &first) noexcept
{
	sigset_t only;
	sigemptyset(&only);
	sigaddset(&only, first.si_signo);
	reported = true;
	pass_on(first);
	sigprocmask(SIG_UNBLOCK, &only, nullptr);
	// The program's own handler has returned.
	_exit(128 + first.si_signo);
}

void
report_once(const siginfo_t &info, const ucontext_t &at) noexcept
{
	const auto tid = static_cast<pid_t>(syscall(SYS_gettid));
	pid_t nobody = 0;
	if (reporter.compare_exchange_strong(nobody, tid)) {
		first_info = &info;
		const settings now = current_settings();
		const int fd = now.open != nullptr ? now.open() : now.fd;
		if (fd >= 0)
			report({fd, now.flags, now.pid, tid, info, at});
		reported = true;
	} else if (nobody == tid && !reported)
		give_up(*first_info.load());
	else
		await_report();
}

} // namespace

bool
has_crashed() noexcept
{
	return reporter != 0;
}

void
handle(int signo, siginfo_t *info, void *context) noexcept
{
	const int saved = errno;
	const uncancelled guard;
	auto &at = *static_cast<ucontext_t *>(context);
	const struct sigaction &was = before(signo);
	const bool ignored = (was.sa_flags & SA_SIGINFO) == 0 &&
	    was.sa_handler == SIG_IGN;
	// A child that shares this memory (vfork(2)) reports nothing.
	if (!(ignored && !is_fault(*info)) &&
	    current_settings().pid == getpid())
		report_once(*info, at);
	sigdelset(&at.uc_sigmask, signo);
	pass_on(*info);
	errno = saved;
}

} // namespace stack9::crash
