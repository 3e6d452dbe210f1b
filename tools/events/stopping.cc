// Installs the handlers once; they set a flag.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "session.h"

#include <csignal>

namespace events {
namespace {

volatile std::sig_atomic_t asked;

void
ask(int)
{
	asked = 1;
}

void
wake(int)
{
}

// There is no SA_RESTART.  A SIGINT that is ignored at the start stays ignored:
// a shell starts background jobs so.
void
handle(int signo, void (*handler)(int), int flags)
{
	struct sigaction was = {}, now = {};
	if (sigaction(signo, nullptr, &was) == 0 && was.sa_handler == SIG_IGN &&
	    signo != SIGCHLD)
		return;
	now.sa_handler = handler;
	now.sa_flags = flags;
	sigaction(signo, &now, nullptr);
}

} // namespace

void
catch_signals()
{
	handle(SIGINT, ask, static_cast<int>(SA_RESETHAND));
	handle(SIGTERM, ask, static_cast<int>(SA_RESETHAND));
	handle(SIGCHLD, wake, SA_NOCLDSTOP);
}

bool
stop_was_asked()
{
	return asked != 0;
}

} // namespace events
