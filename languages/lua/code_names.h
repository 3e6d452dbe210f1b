// Tells by the instruction that has called a function what it was called by.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "prototype.h"

namespace stack9::languages::lua {

// "": the instruction does not tell.  Throws std::bad_alloc.
std::string called_by(memory &, const layout &, const prototype &caller,
    std::size_t instruction);

} // namespace stack9::languages::lua
