// Finds the lock of Ruby's machine that a thread waits for, and who has it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "layout.h"

namespace stack9::languages::ruby {

// Leaves the lock as it is if the thread waits for none.
void find_gvl(unwind::memory &, const layout &, std::uint64_t thread,
    written_lock &);

} // namespace stack9::languages::ruby
