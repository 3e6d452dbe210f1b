// Disables cancellation for a scope, by POSIX calls.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <pthread.h>

namespace stack9 {

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
