// Walks a stack of a thread of the machine.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "languages/runtime.h"

#include "layout.h"

namespace stack9::languages::java {

// Replaces the native stack by the one that the machine's notes lead along, and
// adds the methods that its frames run.  Throws std::bad_alloc.
void walk(const question &, const layout &, written_stack &);

} // namespace stack9::languages::java
