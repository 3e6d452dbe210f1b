// Declares how the end of a process is told.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "contents.h"

namespace stack9::cores {

// Gives "SIGSEGV: nothing is mapped at 0x10"; "" without a signal.  Throws
// std::bad_alloc.
std::string end_of(const facts &, int signal);

} // namespace stack9::cores
