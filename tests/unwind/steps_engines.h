// Declares the engines that take the stacks.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "steps.h"

namespace steps {

// walk_interrupted(), by the signal's context.
std::uint32_t interrupted(const ucontext_t &, address *pcs, std::uint32_t max)
    noexcept;

// stack9_save_self(), through the handler and its signal frame.  These are left
// out of pcs.
std::uint32_t saved_self(const ucontext_t &, address *pcs, std::uint32_t max)
    noexcept;

// libunwind: says whether the shadow stack is right.
std::uint32_t libunwind(const ucontext_t &, address *pcs, std::uint32_t max)
    noexcept;

} // namespace steps
