// Replaces abort(3), so that a thread that blocks SIGABRT is reported, too.
// The handlers of many programs block all signals.
//
// glibc before 2.41 unblocks the signal.  Later ones end the program by the
// signal's default action, and ask no handler of a thread that blocks it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <signal.h>
#include <unistd.h>

#include "crash/crash.h"
#include "crash/signals.h"
#include "crash/system_action.h"
#include "preload/next_call.h"

namespace stack9::crash {
namespace {

constinit preload::next_call<void()> next_abort("abort");

[[gnu::constructor(101)]] void
find_abort() noexcept
{
	next_abort.find();
}

// A program's own handler stays blocked, as it would be without this library.
void
let_it_be_reported() noexcept
{
	struct sigaction there;
	if (current_settings().pid != getpid() ||
	    system_action(SIGABRT, nullptr, &there) != 0 || !is_ours(there))
		return;
	sigset_t aborts;
	sigemptyset(&aborts);
	sigaddset(&aborts, SIGABRT);
	pthread_sigmask(SIG_UNBLOCK, &aborts, nullptr);
}

} // namespace
} // namespace stack9::crash

using namespace stack9::crash;

// A jump to the next one leaves no frame of ours in the reported stack.  Under
// its own name the compiler knows that abort(3) does not return, and calls.
extern "C" [[gnu::visibility("default")]] void program_aborts() noexcept
    __asm__("abort");

void
program_aborts() noexcept
{
	let_it_be_reported();
	if (auto *const next = next_abort.get(); next != nullptr)
		return next();
	raise(SIGABRT);
	_exit(127);
}
