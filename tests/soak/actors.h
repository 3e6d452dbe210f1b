// Does at random what threads do: they hold locks, wait for each other, and
// note all of it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ledger.h"

namespace soak {

// Both never return.
[[noreturn]] void act_at_random(ledger &, int actor, unsigned int seed);
// The member of the group that waits for ever for the next one.
[[noreturn]] void lock_up(ledger &, int member);

// Ends the waits of threads of its process for what nobody owns, and those of
// others for pipes, now and then.
[[noreturn]] void wake_others(ledger &, int process, unsigned int seed);

} // namespace soak
