// Finds the module that an address of this process belongs to, by
// _dl_find_object(3), which takes no lock and is async-signal-safe (glibc 2.35
// and later).
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <dlfcn.h>

namespace stack9::unwind {

inline bool
find_module(std::uintptr_t pc, dl_find_object &module) noexcept
{
	return _dl_find_object(reinterpret_cast<void *>(pc), &module) == 0;
}

// Tells whether a module covers the address.
inline bool
in_module(std::uintptr_t pc) noexcept
{
	dl_find_object module;
	return find_module(pc, module);
}

} // namespace stack9::unwind
