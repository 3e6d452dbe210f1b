// Leads from the stack that a function of Go's runtime has changed to, back to
// the one that it came from, on x86-64.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "unwind/row.h"

#include "go_code.h"
#include "go_table.h"

namespace stack9::languages {

// Gives the CFA of runtime.systemstack() as an expression.  last is the last
// byte of its call, size is from its sp to the return address.  Empty: the code
// after the call is not what is known.  The bytes live for ever.
std::span<const std::byte> go_back_from_system_stack(const go_table &,
    std::uint64_t last, std::int32_t size) noexcept;

// Gives that of runtime.asmcgocall(), from its code up to its call of C.
std::span<const std::byte> go_back_from_c(const go_code &, std::int32_t size)
    noexcept;

// Makes the row of runtime.cgocallback(), by which C calls Go.  size: from sp
// to the return address, in the frame that it has made on the goroutine's
// stack.
void row_of_callback(std::int32_t size, unwind::row &) noexcept;

} // namespace stack9::languages
