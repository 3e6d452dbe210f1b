// Declares how the end of a process is described.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "contents.h"

namespace stack9::cores {

// Returns true if the signal ends a process with a core.  Others are those of a
// debugger that has made the core of a living process.
bool ends_with_core(int signal) noexcept;

// Gives "SIGSEGV: nothing is mapped at 0x10"; "" without a signal.  Throws
// std::bad_alloc.
std::string end_of(const facts &, int signal);

} // namespace stack9::cores
