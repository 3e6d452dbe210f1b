// Gives the rules of frames without unwind information, as far as their code
// alone tells how unwind/passing.h leaves them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "code.h"

namespace stack9::remote {

// The answer of stack_rules() for a pc whose rule is of kind absent.
std::uint32_t guess_rule(remote_code &, unwind::memory &, std::uintptr_t pc,
    bool exact) noexcept;

} // namespace stack9::remote
