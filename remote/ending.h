// Fills a record from the walk of a copied stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/record.h"
#include "unwind/walk.h"

namespace stack9::remote {

// outermost: no unwind information covers the last frame, but it is known to be
// the outermost one.
void describe(const unwind::walked &, bool outermost, stack_record &)
    noexcept;

} // namespace stack9::remote
