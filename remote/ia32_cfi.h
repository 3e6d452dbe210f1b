// Unwind information of 32-bit x86 code, by libdw: unwind/ knows the registers
// and the words of one CPU, which is another one here.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "process/file.h"
#include "unwind/memory.h"
#include "unwind/outcome.h"

#include "ia32_registers.h"

namespace stack9::process {

// Takes the frame to its caller's by the file that its code is from; lookup is
// the pc's p_vaddr there, less 1 for a return address.  On any other outcome
// than stepped the registers are as they were.
unwind::outcome ia32_step(file &, std::uint64_t lookup, unwind::memory &,
    ia32_registers &) noexcept;

} // namespace stack9::process
