// stack9_counts() for this backend.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stack9.h>

namespace stack9::self {

int tell_counts(stack9_count_fn *, void *arg) noexcept;

} // namespace stack9::self
