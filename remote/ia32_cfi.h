// Declares the step through 32-bit x86 code by its unwind information.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "process/file.h"
#include "unwind/memory.h"
#include "unwind/outcome.h"

#include "ia32_registers.h"

namespace stack9::remote {

using process::file;

// Changes the registers from a frame's to its caller's, by the file that the
// frame's code is from.  lookup is the pc's p_vaddr there, less 1 for a return
// address.  On any other outcome than stepped the registers stay as they were,
// except sp: a return address of 0 makes it the CFA.
unwind::outcome ia32_step(file &, std::uint64_t lookup, unwind::memory &,
    ia32_registers &) noexcept;

} // namespace stack9::remote
