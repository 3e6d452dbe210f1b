// Finds the name that Java has for a thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>

#include "languages/runtime.h"

#include "layout.h"

namespace stack9::languages::java {

// Gives the name of a JavaThread's java.lang.Thread; "": it cannot be read.
// Forgets what was read.  Throws std::bad_alloc.
std::string name_of_thread(memory &, const layout &, std::uint64_t thread);

} // namespace stack9::languages::java
