// Finds the line of a part of a statement, as Perl's messages have it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "layout.h"

namespace stack9::languages::perl {

// Gives the COP that is nearest before an OP: that of its statement, or one in
// it that was turned into an empty OP because no code needs it (elsif).
// is_behind: the OP is the one after that which is sought.
std::uint64_t closest_cop(unwind::memory &, const layout &, std::uint64_t cop,
    std::uint64_t op, bool is_behind);

} // namespace stack9::languages::perl
