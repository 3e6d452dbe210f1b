// Finds the module that an address of this process belongs to, without a lock;
// async-signal-safe.  A C library that cannot say it without a lock is asked
// for all modules when no capture waits, and what it said is kept: see
// module_list.h.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "os/loaded_objects.h"

#include "module_list.h"

namespace stack9::unwind {

using stack9::loaded_module;

inline bool
find_module(std::uintptr_t pc, loaded_module &module) noexcept
{
	if constexpr (finds_loaded)
		return find_loaded(pc, module);
	else
		return find_listed(pc, module);
}

// Has modules found that were loaded since.  Takes the loader's lock where
// anything is to be done.
inline void
renew_modules() noexcept
{
	if constexpr (!finds_loaded)
		renew_list();
}

// Returns true if a module covers the address.
inline bool
in_module(std::uintptr_t pc) noexcept
{
	loaded_module module;
	return find_module(pc, module);
}

} // namespace stack9::unwind
