// Disables cancellation of the calling thread for a scope, because no call of
// ours is a cancellation point.  Unwinding a cancelled thread through our
// noexcept frames would end the process, and open(2), read(2), write(2) and
// stdio are all cancellation points.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <pthread.h>

namespace stack9 {

// While one of these lives, this thread is not cancelled; a request stays
// pending.  Nests; async-signal-safe.
class uncancelled {
public:
	uncancelled() noexcept
	{
		pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_);
	}
	~uncancelled() { pthread_setcancelstate(before_, nullptr); }
	uncancelled(const uncancelled &) = delete;
	uncancelled &operator=(const uncancelled &) = delete;

private:
	int	before_;
};

} // namespace stack9
