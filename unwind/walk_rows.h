// Declares walks of this thread's stack by full stepping, for frames that no
// rule describes.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "walk.h"

namespace stack9::unwind {

// Walks from registers on; pcs[0] is their pc.
walked walk_rows(registers, std::uintptr_t *pcs, std::uint32_t max, counting)
    noexcept;

// Walks from a frame of this thread on.  The frame's other registers are found
// by walking out to it from here.
walked walk_rows_from(const frame &, std::uintptr_t *pcs, std::uint32_t max,
    counting) noexcept;

} // namespace stack9::unwind
