// Notes where the loader keeps its counts, and numbers the generations.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "generation.h"

#include <cstddef>

#include <dlfcn.h>
#include <link.h>

#include "module.h"
#include "table.h"

namespace stack9::unwind {

constinit generations code_generation;

namespace {

#ifndef STACK9_MODULE_SNAPSHOT
struct loader_counts {
	std::uint64_t	loads = 0;	// ever
	std::uint64_t	loaded = 0;	// now
};

int
note_counts(dl_phdr_info *info, std::size_t, void *arg) noexcept
{
	auto &counts = *static_cast<loader_counts *>(arg);
	counts.loads = info->dlpi_adds;
	counts.loaded = info->dlpi_adds - info->dlpi_subs;
	return 1;
}
#endif

// Runs at load, when the loader holds its lock for this thread or there is no
// other thread.  The priority puts it before the library's constructors that
// ask known().
__attribute__((constructor(101))) void
at_load() noexcept
{
	code_generation.start();
}

} // namespace

void
generations::note(const std::uint32_t *at) noexcept
{
	if (count_ < places)
		places_[count_] = at;
	count_++;
}

#ifdef STACK9_MODULE_SNAPSHOT

// Rules are kept as long as the list of modules.
void
generations::start() noexcept
{
	count_ = 0;
	note(&module_snapshots);
}

#else

void
generations::start() noexcept
{
	const void *const object = dlsym(RTLD_DEFAULT, "_rtld_global");
	Dl_info info;
	const ElfW(Sym) *symbol = nullptr;
	if (object == nullptr || dladdr1(object, &info,
	    const_cast<void **>(reinterpret_cast<const void **>(&symbol)),
	    RTLD_DL_SYMENT) == 0 || symbol == nullptr)
		return;
	loader_counts counts;
	dl_iterate_phdr(note_counts, &counts);
	const auto *const words = static_cast<const std::uint32_t *>(object);
	const std::size_t size = symbol->st_size / sizeof *words;
	bool loads_found = false;
	count_ = 0;
	for (std::size_t i = 0; i + 1 < size; i += 2) {
		const std::uint64_t both = words[i] |
		    std::uint64_t{words[i + 1]} << 32;
		loads_found |= both == counts.loads;
		if (both == counts.loads || words[i] == counts.loaded)
			note(words + i);
		else if (words[i + 1] == counts.loaded)
			note(words + i + 1);
	}
	// With more places than can be watched, the right ones may be left out.
	if (!loads_found || count_ > places)
		count_ = 0;
}

#endif // STACK9_MODULE_SNAPSHOT

std::uint16_t
generations::changed(std::uint64_t seen) noexcept
{
	std::uint64_t last = last_.load(std::memory_order_acquire);
	while ((last & counts_mask) != seen) {
		auto next = static_cast<std::uint16_t>((last >> 48) + 1);
		if (next == 0)
			next = 1;
		if (!last_.compare_exchange_weak(last,
		    std::uint64_t{next} << 48 | seen,
		    std::memory_order_acq_rel))
			continue;
		changes_.fetch_add(1, std::memory_order_relaxed);
		// Before a number is used again, its old rules must be gone.
		if (next % 0x4000 == 1)
			rules.forget();
		return next;
	}
	return static_cast<std::uint16_t>(last >> 48);
}

} // namespace stack9::unwind
