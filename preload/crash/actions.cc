// Replaces sigaction(2) and signal(2), so that a program finds what it would
// find without this library, and a signal that it leaves to the kernel is
// reported.
//
// A program that takes a signal of a crash for itself has it.  It gets the
// answer that the signal had its default action before: HotSpot, Go and Rust
// leave out their own handlers, or call ours from theirs, where they find
// another one.  A program that gives the signal back, to end by it, gives it to
// our handler.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cerrno>
#include <iterator>

#include <signal.h>
#include <unistd.h>

#include "crash/crash.h"
#include "crash/signals.h"
#include "crash/system_action.h"
#include "preload/next_call.h"

namespace stack9::crash {
namespace {

constinit preload::next_call<int(int, const struct sigaction *,
    struct sigaction *)> next_sigaction("sigaction");
constinit preload::next_call<sighandler_t(int, sighandler_t)>
    next_signal("signal");

[[gnu::constructor(101)]] void
find_actions() noexcept
{
	next_sigaction.find();
	next_signal.find();
}

bool
is_of_crash(int signo) noexcept
{
	return std::find(std::begin(crash_signals), std::end(crash_signals),
	    signo) != std::end(crash_signals);
}

bool
is_default(const struct sigaction &a) noexcept
{
	return (a.sa_flags & SA_SIGINFO) == 0 && a.sa_handler == SIG_DFL;
}

// A child that shares the memory of the process (vfork(2)) changes its own
// actions alone.
bool
is_of_process() noexcept
{
	return current_settings().pid == getpid() && !has_crashed();
}

int
program_action(int signo, const struct sigaction *to, struct sigaction *was)
    noexcept
{
	const struct sigaction shown = before(signo);
	struct sigaction there, wanted{};
	if (to != nullptr)
		wanted = *to;
	if (to != nullptr && is_default(wanted) && is_of_process()) {
		keep(signo, wanted);
		wanted = handler_action();
	}
	if (system_action(signo, to != nullptr ? &wanted : nullptr, &there) !=
	    0)
		return -1;
	if (was != nullptr)
		*was = is_ours(there) ? shown : there;
	return 0;
}

} // namespace

int
system_action(int signo, const struct sigaction *to, struct sigaction *was)
    noexcept
{
	auto *const next = next_sigaction.get();
	if (next != nullptr)
		return next(signo, to, was);
	errno = ENOSYS;
	return -1;
}

} // namespace stack9::crash

using namespace stack9::crash;

extern "C" {

[[gnu::visibility("default")]] int
sigaction(int signo, const struct sigaction *to, struct sigaction *was)
{
	return is_of_crash(signo) && current_settings().pid != 0 ?
	    program_action(signo, to, was) : system_action(signo, to, was);
}

// BSD's, as in the C library: the signal is blocked meanwhile, calls are
// restarted, and the handler stays.
[[gnu::visibility("default")]] sighandler_t
signal(int signo, sighandler_t handler)
{
	if (!is_of_crash(signo) || handler == SIG_ERR) {
		auto *const next = next_signal.get();
		return next != nullptr ? next(signo, handler) : SIG_ERR;
	}
	struct sigaction to{}, was;
	to.sa_handler = handler;
	to.sa_flags = SA_RESTART;
	sigemptyset(&to.sa_mask);
	sigaddset(&to.sa_mask, signo);
	return sigaction(signo, &to, &was) == 0 ? was.sa_handler : SIG_ERR;
}

} // extern "C"
