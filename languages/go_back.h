// Tells how Go's runtime goes back from the stack of a thread to that of the
// goroutine that has called runtime.systemstack(), for x86-64.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "go_table.h"

namespace stack9::languages {

// Gives the CFA of runtime.systemstack() as an expression.  last is the last
// byte of its call.  Empty: the code behind the call is not what is known.  The
// bytes live for ever.
std::span<const std::byte> go_back_from_system_stack(const go_table &,
    std::uint64_t last) noexcept;

} // namespace stack9::languages
