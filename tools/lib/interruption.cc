// Handles the signals by an eventfd, so that one that comes just before
// ppoll(2) ends the wait, too.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "interruption.h"

#include <cerrno>
#include <csignal>
#include <cstdint>

#include <sys/eventfd.h>
#include <unistd.h>

namespace tools {
namespace {

volatile std::sig_atomic_t came;
int ready = -1;

void
keep(int signo)
{
	const int error = errno;
	const std::uint64_t one = 1;
	came = signo;
	(void)!write(ready, &one, sizeof one);
	errno = error;
}

void
handle(int signo)
{
	struct sigaction was = {}, now = {};
	if (sigaction(signo, nullptr, &was) == 0 && was.sa_handler == SIG_IGN)
		return;
	now.sa_handler = keep;
	now.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
	sigaction(signo, &now, nullptr);
}

} // namespace

int
catch_interruption()
{
	if (ready >= 0)
		return ready;
	ready = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (ready >= 0) {
		handle(SIGINT);
		handle(SIGTERM);
	}
	return ready;
}

int
interruption()
{
	return came;
}

// SA_RESETHAND has restored the default.
void
end_by_interruption()
{
	if (came != 0)
		raise(came);
}

} // namespace tools
