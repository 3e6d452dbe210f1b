// Blocks all signals of the calling thread for a scope.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <pthread.h>
#include <signal.h>

namespace stack9 {

// Loading a BPF program takes its time, and the verifier gives up with EAGAIN
// when a signal is pending: a process with a fast timer could never load one.
class block_signals {
public:
	block_signals() noexcept
	{
		sigset_t all;
		sigfillset(&all);
		pthread_sigmask(SIG_SETMASK, &all, &before_);
	}
	~block_signals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
	block_signals(const block_signals &) = delete;
	block_signals &operator=(const block_signals &) = delete;

private:
	sigset_t before_;
};

} // namespace stack9
