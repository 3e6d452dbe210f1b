// malloc(9) with M_WAITOK or M_NOWAIT.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>

namespace stack9 {

// size zeroed bytes, for free().  NULL only with nowait; else it asks again
// every 10 ms until there is memory, for ever if there never is: M_WAITOK has
// no way to fail, and its callers do not check.  errno is kept.
void *malloc_wait(std::size_t size, bool nowait) noexcept;

} // namespace stack9
