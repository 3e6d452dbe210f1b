// Writes the frames of a stack of this process, with names.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <span>

#include "text.h"
#include "unwind/walk.h"

namespace stack9::crash {

// The most frames of a stack that are walked, and that are written: so many
// innermost and so many outermost ones.
inline constexpr std::uint32_t frames_walked = 1 << 16, frames_inner = 96,
    frames_outer = 32;

// pcs: those of the walk.  The first one is where the thread was.
void write_frames(text &, std::span<const std::uintptr_t> pcs,
    const unwind::walked &) noexcept;

} // namespace stack9::crash
