// Finds where the globals of PHP's executor are for a thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "layout.h"

namespace stack9::languages::php {

// Gives the address; 0: the thread has none.  False: they cannot be found.
bool find_globals(const question &, const places &, std::uint64_t bias,
    std::uint64_t &);

} // namespace stack9::languages::php
