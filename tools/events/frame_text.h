// Writes a frame on a line.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <fmt/format.h>

#include "tools/profiles/profile.h"
#include "options.h"

namespace events {

// Writes neither indentation nor an end of line.
void write_frame(fmt::memory_buffer &, const profiles::frame &,
    std::uint64_t pc, const options &);

} // namespace events
