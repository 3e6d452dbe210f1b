// Implements stack9_set_signal() and installs the handler at first use.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <atomic>

#include <signal.h>

#include <stack9.h>

#include "request.h"

namespace stack9::self {
namespace {

constinit std::atomic<int> number = 0;	// 0: the default

enum class owner { nobody, ours, another };

owner
owner_of(int signo) noexcept
{
	struct sigaction now;
	if (sigaction(signo, nullptr, &now) != 0)
		return owner::another;
	if ((now.sa_flags & SA_SIGINFO) != 0)
		return now.sa_sigaction == answer_request ? owner::ours :
		    owner::another;
	return now.sa_handler == SIG_DFL ? owner::nobody : owner::another;
}

} // namespace

int
chosen_signal() noexcept
{
	const int n = number;
	return n != 0 ? n : SIGRTMAX - 1;
}

bool
signal_is_free() noexcept
{
	return owner_of(chosen_signal()) != owner::another;
}

// There is no lock that a fork could leave taken: two threads at once install
// the same handler.  This is called before every request, because a program may
// set its own handler later, and that one must not get our signals.
int
install_handler() noexcept
{
	const int signo = chosen_signal();
	switch (owner_of(signo)) {
	case owner::ours:
		return 0;
	case owner::another:
		return EBUSY;
	case owner::nobody:
		break;
	}
	struct sigaction ours{};
	ours.sa_sigaction = answer_request;
	ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
	sigfillset(&ours.sa_mask);
	return sigaction(signo, &ours, nullptr) == 0 ? 0 : errno;
}

} // namespace stack9::self

extern "C" int
stack9_set_signal(int signo)
{
	using namespace stack9::self;
	if (signo < SIGRTMIN || signo > SIGRTMAX)
		return EINVAL;
	if (owner_of(signo) == owner::another)
		return EBUSY;
	number = signo;
	return 0;
}
