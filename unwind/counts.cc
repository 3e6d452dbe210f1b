// See counts.h.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "counts.h"

namespace stack9::unwind {

constinit counters tally{};

} // namespace stack9::unwind
