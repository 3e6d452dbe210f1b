// Prints the stacks of all its own threads when SIGUSR1 comes.  A thread waits
// for the signal, because a handler may not allocate memory.
//
//	on_signal &
//	kill -USR1 $!
//
// SPDX-License-Identifier: BSD-2-Clause
#include <iostream>
#include <thread>

#include <signal.h>

#include <stack9.hpp>

int
main()
{
	sigset_t signals{};
	sigaddset(&signals, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &signals, nullptr);

	// The program's own work: it waits for any other signal.
	std::thread worker([&] { sigsuspend(&signals); });
	for (int signo; sigwait(&signals, &signo) == 0;)
		for (const auto &s : stack9::save_all(stack9::thread::self()))
			std::cout << s << std::flush;
}
