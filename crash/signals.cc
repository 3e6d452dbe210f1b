// Replaces the dispositions of the signals, restores them, and names the
// signals.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "signals.h"

#include <cerrno>

#include "crash.h"
#include "system_action.h"

namespace stack9::crash {
namespace {

struct sigaction kept[NSIG];
bool replaced[NSIG];

bool
is_handled(int signo) noexcept
{
	struct sigaction now;
	return system_action(signo, nullptr, &now) == 0 && is_ours(now);
}

} // namespace

bool
is_ours(const struct sigaction &a) noexcept
{
	return (a.sa_flags & SA_SIGINFO) != 0 && a.sa_sigaction == handle;
}

// The signals of a crash are not blocked in the handler, so that a second crash
// in the handler comes to it, too.  All others wait.
struct sigaction
handler_action() noexcept
{
	struct sigaction ours{};
	ours.sa_sigaction = handle;
	ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
	sigfillset(&ours.sa_mask);
	for (const int signo : crash_signals)
		sigdelset(&ours.sa_mask, signo);
	return ours;
}

int
install_handlers() noexcept
{
	const struct sigaction ours = handler_action();
	for (const int signo : crash_signals) {
		if (is_handled(signo))
			continue;
		// Kept first: a crash may come at once.
		if (system_action(signo, nullptr, &kept[signo]) != 0 ||
		    system_action(signo, &ours, nullptr) != 0) {
			const int error = errno;
			restore_handlers();
			return error;
		}
		replaced[signo] = true;
	}
	return 0;
}

void
restore_handlers() noexcept
{
	for (const int signo : crash_signals)
		if (replaced[signo] && is_handled(signo))
			system_action(signo, &kept[signo], nullptr);
}

const struct sigaction &
before(int signo) noexcept
{
	return kept[signo];
}

void
keep(int signo, const struct sigaction &to) noexcept
{
	kept[signo] = to;
}

const char *
signal_name(int signo) noexcept
{
	switch (signo) {
	case SIGSEGV: return "SIGSEGV";
	case SIGBUS: return "SIGBUS";
	case SIGILL: return "SIGILL";
	case SIGFPE: return "SIGFPE";
	case SIGABRT: return "SIGABRT";
	case SIGTRAP: return "SIGTRAP";
	case SIGSYS: return "SIGSYS";
	}
	return "signal";
}

bool
has_address(const siginfo_t &info) noexcept
{
	return info.si_code > 0 && info.si_code != SI_KERNEL &&
	    info.si_signo != SIGABRT && info.si_signo != SIGSYS;
}

const char *
reason_of(const siginfo_t &info) noexcept
{
	struct cause {
		int		signo, code;
		const char	*text;
	};
	static constexpr cause causes[] = {
		{SIGSEGV, SEGV_MAPERR, "nothing is mapped at"},
		{SIGSEGV, SEGV_ACCERR, "the mapping forbids access to"},
		{SIGBUS, BUS_ADRALN, "the address is not aligned,"},
		{SIGBUS, BUS_ADRERR, "the mapping has no memory at"},
		{SIGBUS, BUS_MCEERR_AR, "a memory error of the machine at"},
		{SIGILL, ILL_ILLOPN, "an illegal instruction at"},
		{SIGILL, ILL_ILLOPC, "an illegal instruction at"},
		{SIGFPE, FPE_INTDIV, "an integer divided by zero at"},
		{SIGFPE, FPE_FLTDIV, "a number divided by zero at"},
		{SIGTRAP, TRAP_BRKPT, "a breakpoint at"},
	};
	for (const cause &c : causes)
		if (c.signo == info.si_signo && c.code == info.si_code)
			return c.text;
	return info.si_code <= 0 ? "sent by process" :
	    info.si_code == SI_KERNEL ? "sent by the kernel" :
	    "its address is";
}

} // namespace stack9::crash
