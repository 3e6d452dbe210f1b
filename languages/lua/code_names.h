// Finds the name by which a function was called, by the instruction that has
// called it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "prototype.h"

namespace stack9::languages::lua {

// "": the instruction does not say.  Throws std::bad_alloc.
std::string called_by(unwind::memory &, const layout &, const prototype &caller,
    std::size_t instruction);

} // namespace stack9::languages::lua
