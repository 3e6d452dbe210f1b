// Calls sigaction(2).  preload/crash/ has a file in the place of this one.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "system_action.h"

namespace stack9::crash {

int
system_action(int signo, const struct sigaction *to, struct sigaction *was)
    noexcept
{
	return sigaction(signo, to, was);
}

} // namespace stack9::crash
