// Finds what the loader has loaded: the module that has an address, where the C
// library says it without a lock (glibc 2.35 and later, _dl_find_object(3)),
// and the list of all modules.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

namespace stack9 {

struct loaded_module {
	std::uintptr_t	 begin, end;
	const void	*eh_frame_hdr;	// the segment PT_GNU_EH_FRAME, or NULL
	std::uintptr_t	 bias;		// of addresses in the file
	const char	*path;		// as in the loader; "": the program
	std::uintptr_t	 dynamic;	// the segment PT_DYNAMIC, or 0
};

// Whether find_loaded() can answer at all.  It is async-signal-safe.
#ifdef STACK9_DL_FIND_OBJECT
inline constexpr bool finds_loaded = true;

inline bool
find_loaded(std::uintptr_t pc, loaded_module &module) noexcept
{
	dl_find_object found;
	if (_dl_find_object(reinterpret_cast<void *>(pc), &found) != 0)
		return false;
	const link_map &object = *found.dlfo_link_map;
	module = {reinterpret_cast<std::uintptr_t>(found.dlfo_map_start),
	    reinterpret_cast<std::uintptr_t>(found.dlfo_map_end),
	    found.dlfo_eh_frame, object.l_addr, object.l_name,
	    reinterpret_cast<std::uintptr_t>(object.l_ld)};
	return true;
}
#else
inline constexpr bool finds_loaded = false;

inline bool
find_loaded(std::uintptr_t, loaded_module &) noexcept
{
	return false;
}
#endif

// How often modules were loaded and unloaded.  musl never unloads any.
struct load_counts {
	unsigned long long	loads = 0;
	unsigned long long	unloads = 0;

	bool operator==(const load_counts &) const noexcept = default;
};

// Adds up what program headers say.
class module_segments {
public:
	void
	add(std::uintptr_t bias, const ElfW(Phdr) &p) noexcept
	{
		const std::uintptr_t at = bias + p.p_vaddr;
		if (p.p_type == PT_GNU_EH_FRAME)
			eh_frame_hdr_ = at;
		if (p.p_type == PT_DYNAMIC)
			dynamic_ = at;
		if (p.p_type != PT_LOAD)
			return;
		begin_ = std::min(begin_, at);
		end_ = std::max(end_, at + p.p_memsz);
	}
	// False: the module has no memory.
	bool
	describe(std::uintptr_t bias, const char *name, loaded_module &to)
	    const noexcept
	{
		const auto page = static_cast<std::uintptr_t>(getpagesize());
		to = {begin_ & ~(page - 1), end_,
		    reinterpret_cast<const void *>(eh_frame_hdr_), bias,
		    name == nullptr ? "" : name, dynamic_};
		return end_ != 0;
	}

private:
	std::uintptr_t	begin_ = UINTPTR_MAX, end_ = 0;
	std::uintptr_t	eh_frame_hdr_ = 0, dynamic_ = 0;
};

inline bool
describe_loaded(const dl_phdr_info &info, loaded_module &to) noexcept
{
	module_segments all;
	for (unsigned int i = 0; i < info.dlpi_phnum; i++)
		all.add(info.dlpi_addr, info.dlpi_phdr[i]);
	return all.describe(info.dlpi_addr, info.dlpi_name, to);
}

// Returns true if a module stays as long as the process: one that the program
// was started with.  Those are in the list up to the loader, and what was
// loaded later comes after it.  index counts from the program, 0.
inline bool
stays_loaded([[maybe_unused]] const dl_phdr_info &info,
    [[maybe_unused]] std::size_t index, [[maybe_unused]] bool &behind) noexcept
{
#ifdef __GLIBC__
	const bool stays = index == 0 || (!behind && _r_debug.r_ldbase != 0);
	behind |= info.dlpi_addr == _r_debug.r_ldbase;
	return stays;
#else
	return true;
#endif
}

// Calls f(module, stays) for each module, and gives the counts that the list
// belongs to.  f returns false to end it.  Takes the loader's lock; no other
// call takes it here.
template <class F>
load_counts
each_loaded(F f) noexcept
{
	struct all {
		F		&f;
		load_counts	 counts{};
		std::size_t	 index = 0;
		bool		 behind = false;
	} a{f};
	dl_iterate_phdr([](dl_phdr_info *info, std::size_t, void *arg) {
		auto &to = *static_cast<all *>(arg);
		loaded_module m;
		to.counts = {info->dlpi_adds, info->dlpi_subs};
		const bool stays = stays_loaded(*info, to.index++, to.behind);
		return !describe_loaded(*info, m) || to.f(m, stays) ? 0 : 1;
	}, &a);
	return a.counts;
}

} // namespace stack9
