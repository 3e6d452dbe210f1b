// Finds the module of an address in glibc's chain of modules, without its lock:
// _r_debug leads there, for debuggers.
//
// Another thread may be changing the chain, or unloading what is in it.  So all
// is copied by system calls, because these do not fault, and a module counts if
// the headers at its address lead to the dynamic segment that the chain names.
// It takes 0.2 us for each module that is loaded.  Async-signal-safe; keeps
// errno.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "loaded_objects.h"
#include "own_memory.h"

namespace stack9 {

template <class T>
bool
copy_at(T &to, std::uintptr_t from) noexcept
{
	return copy_own(&to, reinterpret_cast<const void *>(from), sizeof to) ==
	    0;
}

#ifdef __GLIBC__
// The chain of a namespace: of dlmopen(3)'s from version 2 on (glibc 2.35).
struct chain_of_namespace {
	r_debug			 chain;
	const chain_of_namespace *next;
};

// Finds the module with the highest address that is not above pc, if it is
// higher than that in to.
inline void
nearest_in_chain(std::uintptr_t pc, const link_map *at, link_map &to) noexcept
{
	constexpr int most = 1 << 16;
	for (int n = 0; at != nullptr && n < most; n++) {
		link_map m;
		if (!copy_at(m, reinterpret_cast<std::uintptr_t>(at)))
			return;
		if (m.l_addr <= pc && m.l_addr >= to.l_addr)
			to = m;
		at = m.l_next;
	}
}

inline bool
nearest_module(std::uintptr_t pc, link_map &to) noexcept
{
	constexpr int most = 16;
	auto at = reinterpret_cast<std::uintptr_t>(&_r_debug);
	to = {};
	for (int n = 0; at != 0 && n < most; n++) {
		chain_of_namespace c{};
		if (!copy_at(c.chain, at))
			break;
		nearest_in_chain(pc, c.chain.r_map, to);
		at = c.chain.r_version > 1 && copy_at(c, at) ?
		    reinterpret_cast<std::uintptr_t>(c.next) : 0;
	}
	return to.l_ld != nullptr;
}

inline bool
find_in_chain(std::uintptr_t pc, loaded_module &module) noexcept
{
	const int saved = errno;
	link_map object{};
	ElfW(Ehdr) header;
	module_segments all;
	bool found = nearest_module(pc, object) &&
	    copy_at(header, object.l_addr) &&
	    std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
	    header.e_phentsize == sizeof(ElfW(Phdr));
	for (std::size_t n = 0; found && n < header.e_phnum; n++) {
		ElfW(Phdr) p;
		found = copy_at(p, object.l_addr + header.e_phoff +
		    n * sizeof p);
		if (found)
			all.add(object.l_addr, p);
	}
	errno = saved;
	loaded_module m;
	if (!found || !all.describe(object.l_addr, object.l_name, m) ||
	    m.dynamic != reinterpret_cast<std::uintptr_t>(object.l_ld) ||
	    pc < m.begin || pc >= m.end)
		return false;
	module = m;
	return true;
}
#else	// a module stays where a list has it
inline bool
find_in_chain(std::uintptr_t, loaded_module &) noexcept
{
	return false;
}
#endif

} // namespace stack9
