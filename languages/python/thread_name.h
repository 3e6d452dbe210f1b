// Finds the name that the module threading has for a thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>

#include "layout.h"

namespace stack9::languages::python {

// Gives it for the thread that has this pthread_self(); "": the module has no
// Thread of it, or where that is is not known.  Throws std::bad_alloc.
std::string name_of_thread(const question &, const layout &,
    std::uint64_t interpreter, std::uint64_t self);

} // namespace stack9::languages::python
