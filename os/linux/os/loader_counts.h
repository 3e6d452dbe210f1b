// Finds where the loader counts what it loads and unloads, so that a change is
// seen without its lock.
//
// glibc's counts lie in the loader's one data object, _rtld_global, at a place
// that is not an interface.  So every word of the object that equals one of the
// counts is a place.  The right words are among these; a wrong one that changes
// reports a change that was none.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include <dlfcn.h>
#include <link.h>

#include "loaded_objects.h"

namespace stack9 {

// Calls note(place) for each place, at load, when the loader holds its lock for
// this thread or there is no other thread.  False: they were not found.
//
// musl unloads nothing, and a list of its modules counts itself.
template <class F>
bool
each_loader_count([[maybe_unused]] F note) noexcept
{
#if defined(__GLIBC__) && !defined(STACK9_PORTABLE)
	const void *const object = dlsym(RTLD_DEFAULT, "_rtld_global");
	Dl_info info;
	const ElfW(Sym) *symbol = nullptr;
	if (object == nullptr || dladdr1(object, &info,
	    const_cast<void **>(reinterpret_cast<const void **>(&symbol)),
	    RTLD_DL_SYMENT) == 0 || symbol == nullptr)
		return false;
	const load_counts counts = each_loaded(
	    [](const loaded_module &, bool) { return false; });
	const std::uint64_t loaded = counts.loads - counts.unloads;
	const auto *const words = static_cast<const std::uint32_t *>(object);
	const std::size_t size = symbol->st_size / sizeof *words;
	bool loads_found = false;
	for (std::size_t i = 0; i + 1 < size; i += 2) {
		const std::uint64_t both = words[i] |
		    std::uint64_t{words[i + 1]} << 32;
		loads_found |= both == counts.loads;
		if (both == counts.loads || words[i] == loaded)
			note(words + i);
		else if (words[i + 1] == loaded)
			note(words + i + 1);
	}
	return loads_found;
#else
	return true;
#endif
}

} // namespace stack9
