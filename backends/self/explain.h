// Fills a record from the walk of a stack of this process.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/record.h"

#include "unwind/walk.h"

namespace stack9::self {

// Fills depth, dropped, why and reason, and sets the flag of a guess.
void explain(const unwind::walked &, stack_record &) noexcept;

} // namespace stack9::self
