// Describes the states of Lua to the programs on events.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "layout.h"

namespace stack9::languages::lua {

s9_frame_chain describe_chain(const layout &);

// Gives the bits of a call's status that are reported.
std::uint16_t reported_status(const layout &) noexcept;

} // namespace stack9::languages::lua
