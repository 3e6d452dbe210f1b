// Lists the signals that a crash sends, and keeps what they had before.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <signal.h>

namespace stack9::crash {

inline constexpr int crash_signals[] = {
	SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS,
};

// Installs the handler and keeps the dispositions that it replaces.  0, or an
// errno, with nothing changed.
int install_handlers() noexcept;

// Restores the dispositions that were replaced, except where another handler
// has taken the place of ours.
void restore_handlers() noexcept;

// The disposition that the signal had before.
const struct sigaction &before(int signo) noexcept;

// Takes another one for it, for a program that changes it later.
void keep(int signo, const struct sigaction &) noexcept;

// The handler, and what installs it.
void handle(int signo, siginfo_t *, void *) noexcept;
struct sigaction handler_action() noexcept;
bool is_ours(const struct sigaction &) noexcept;

} // namespace stack9::crash
