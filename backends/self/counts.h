// Reports the counters of this backend to stack9_stats().
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stack9.h>

namespace stack9::self {

int each_count(stack9_stat_fn *, void *arg) noexcept;

} // namespace stack9::self
