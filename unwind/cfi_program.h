// The program of a CIE and an FDE, run up to a pc.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "cfi_entry.h"

namespace stack9::unwind {

// False if it is malformed.  The pc is the FDE's.
bool run_program(const cfi_section &, const cie &, const fde &,
    std::uintptr_t pc, row &) noexcept;

} // namespace stack9::unwind
