// Loading a program takes its time, and a signal would end it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <pthread.h>
#include <signal.h>

namespace stack9 {

// The verifier gives up with EAGAIN when a signal is pending: a program with a
// fast timer would never get through it.
class unsignalled {
public:
	unsignalled() noexcept
	{
		sigset_t all;
		sigfillset(&all);
		pthread_sigmask(SIG_SETMASK, &all, &before_);
	}
	~unsignalled() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
	unsignalled(const unsignalled &) = delete;
	unsignalled &operator=(const unsignalled &) = delete;

private:
	sigset_t before_;
};

} // namespace stack9
