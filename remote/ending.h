// Fills a record from the walk of a copied stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stack9.h>
#include "unwind/walk.h"

namespace stack9::process {

// outermost: the last frame, which no unwind information covers, is known to be
// the outermost all the same.
void describe(const unwind::walked &, bool outermost, stack9_record &)
    noexcept;

} // namespace stack9::process
