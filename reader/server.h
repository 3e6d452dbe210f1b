// Declares the work of the process that reads files.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "channel.h"

namespace stack9::apart {

// The messages of each kind are written and read in client.cc and server.cc.

// The longest message from a reader, whose names and lines are far shorter.
inline constexpr std::size_t answer_max = 16 << 20;
// The longest message to it; the largest copies of stacks have 2 GiB.
inline constexpr std::size_t question_max = UINT32_MAX;

// Answers until the other side is gone, and ends the process.
[[noreturn]] void serve(channel) noexcept;

} // namespace stack9::apart
