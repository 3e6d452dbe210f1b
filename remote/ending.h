// Fills a record from the walk of a copied stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stack9.h>
#include "unwind/walk.h"

namespace stack9::remote {

// outermost: no unwind information covers the last frame, but it is known to be
// the outermost one.
void describe(const unwind::walked &, bool outermost, stack9_record &)
    noexcept;

} // namespace stack9::remote
