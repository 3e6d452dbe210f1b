// Waits between looks.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace stackprint {

// Waits so many seconds.  False: SIGINT or SIGTERM came, for which
// catch_interruption() has been called.
bool pause_for(double seconds);

} // namespace stackprint
