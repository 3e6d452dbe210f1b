// Compares stacks.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <stack9.h>

namespace stack9 {

// A hash of all that stack9_stack_same() compares.
std::uint64_t hash_of(const stack9_stack &) noexcept;

} // namespace stack9
