// Keeps the list of this process's modules where the C library cannot say
// without a lock which of them has an address.
//
// The list is made when this library is loaded, and again by calls that may
// take locks (names, spaces).  If anything was loaded or unloaded since, only
// those modules of the list are used that the program was started with: another
// one may be gone, and its memory with it.  Other modules are looked for in the
// loader's own chain.  This is slower.  Where that cannot be read
// (musl), a capture that meets a module loaded since ends there, with the usual
// reason of code without unwind information.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "os/loaded_objects.h"

namespace stack9::unwind {

// Async-signal-safe.
bool find_listed(std::uintptr_t pc, loaded_module &) noexcept;
// Makes the list again if it is not of now.
void renew_list() noexcept;

} // namespace stack9::unwind
