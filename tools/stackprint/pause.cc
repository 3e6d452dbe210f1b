// Waits between passes, so that a signal ends the wait at once.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "follow.h"

#include <cerrno>
#include <ctime>

#include <poll.h>

#include "tools/lib/interruption.h"

namespace stackprint {

bool
pause_for(double seconds)
{
	pollfd p{catch_interruption(), POLLIN, 0};
	timespec left{};
	left.tv_sec = static_cast<time_t>(seconds);
	left.tv_nsec = static_cast<long>(
	    (seconds - static_cast<double>(left.tv_sec)) * 1e9);
	while (interruption() == 0)
		if (ppoll(&p, 1, &left, nullptr) >= 0 || errno != EINTR)
			break;
	return interruption() == 0;
}

} // namespace stackprint
