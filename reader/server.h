// Declares the work of the process that reads files.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>

#include "channel.h"

namespace stack9::sandbox {

// Answers until the other side is gone, and ends the process.  shared: the
// halves of a shared buffer.
[[noreturn]] void serve(channel, std::byte *shared) noexcept;

} // namespace stack9::sandbox
