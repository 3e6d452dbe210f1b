// Makes the row of runtime.cgocallback(), by which C calls Go.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "unwind/row.h"

namespace stack9::languages {

// size: from sp to the return address, in the frame that it has made on the
// goroutine's stack.
void row_of_callback(std::int32_t size, unwind::row &) noexcept;

} // namespace stack9::languages
