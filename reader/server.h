// Declares the work of the process that reads files.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "channel.h"

namespace stack9::apart {

// Answers until the other side is gone, and ends the process.  shared: the
// halves of a tray.
[[noreturn]] void serve(channel, std::byte *shared) noexcept;

} // namespace stack9::apart
