// Evaluates DWARF expressions, as far as call frame information uses them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "memory.h"
#include "outcome.h"
#include "registers.h"

namespace stack9::unwind {

// Computes the value of an expression over a frame's registers.  The stack
// begins with pushed, if given.  stepped: the expression has a value.  The
// number of steps is bounded; an operation that has no place in call frame
// information makes the expression malformed.
outcome evaluate(std::span<const std::byte>, const registers &, memory &,
    std::optional<std::uintptr_t> pushed, std::uintptr_t &value) noexcept;

} // namespace stack9::unwind
