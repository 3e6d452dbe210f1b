// Finds the module that an address of this process belongs to, without a lock;
// async-signal-safe.  glibc 2.35 and later says it by _dl_find_object(3).  Any
// other C library is asked for all modules when no capture waits, and what it
// said is kept: see module_snapshot.cc.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <dlfcn.h>
#include <link.h>

namespace stack9::unwind {

struct loaded_module {
	std::uintptr_t	 begin, end;
	const void	*eh_frame_hdr;	// the segment PT_GNU_EH_FRAME, or NULL
	const link_map	*object;	// of it l_addr, l_name, l_ld alone

	std::uintptr_t bias() const noexcept { return object->l_addr; }
	const char *path() const noexcept { return object->l_name; }
	std::uintptr_t
	dynamic() const noexcept
	{
		return reinterpret_cast<std::uintptr_t>(object->l_ld);
	}
};

// In a static program _dl_find_object() knows the segment with the code alone,
// and the unwind information lies in another one.
#if defined(DLFO_STRUCT_HAS_EH_DBASE) && !defined(STACK9_PORTABLE)

inline bool
find_module(std::uintptr_t pc, loaded_module &module) noexcept
{
	dl_find_object found;
	if (_dl_find_object(reinterpret_cast<void *>(pc), &found) != 0)
		return false;
	module.begin = reinterpret_cast<std::uintptr_t>(found.dlfo_map_start);
	module.end = reinterpret_cast<std::uintptr_t>(found.dlfo_map_end);
	module.eh_frame_hdr = found.dlfo_eh_frame;
	module.object = found.dlfo_link_map;
	return true;
}

// Has modules found that were loaded since.  Takes the loader's lock where
// anything is to be done.
inline void renew_modules() noexcept {}

#else
#define	STACK9_MODULE_SNAPSHOT	1

bool find_module(std::uintptr_t pc, loaded_module &module) noexcept;
void renew_modules() noexcept;
// Counts the snapshots.
extern std::uint32_t module_snapshots;

#endif

// Tells whether a module covers the address.
inline bool
in_module(std::uintptr_t pc) noexcept
{
	loaded_module module;
	return find_module(pc, module);
}

} // namespace stack9::unwind
