// Walks of this thread's stack by full stepping: where a rule is too little.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "walk.h"

namespace stack9::unwind {

// From registers on, pcs[0] being their pc.
walked walk_rows(registers, std::uintptr_t *pcs, std::uint32_t max, counting)
    noexcept;

// From a frame of this thread's on, whose other registers are found by walking
// out to it from here.
walked walk_rows_from(const frame &, std::uintptr_t *pcs, std::uint32_t max,
    counting) noexcept;

} // namespace stack9::unwind
