// Tells the generation of this process's code.  It changes whenever the loader
// loads or unloads something, and rules of another generation do not match.
//
// The loader counts both, and dl_iterate_phdr(3) tells the counts, but takes
// the loader's lock.  The counts lie in the loader's one data object,
// _rtld_global, at a place that is no interface.  So every word of the object
// that equals one of the counts is noted at load, when that lock is ours or
// free, and is read from then on.  The right words are among the noted ones; a
// wrong one that changes costs a few rules computed again.  Rejected: comparing
// what _dl_find_object(3) says of each module (a plugin that is built again and
// loaded again has the same name, address and size), build-ids (not everything
// has one), interposing dlclose(3) (a module that was linked before this
// library does not call ours).
//
// Without _dl_find_object(3) the generation is that of the list of modules: see
// module.h.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace stack9::unwind {

class generations {
public:
	// Notes the places of the counts; called at load.
	void start() noexcept;
	// False if they were not found (another C library, a static program);
	// then no rule may be kept.
	bool known() const noexcept { return count_ != 0; }

	// The generation, 1 to 65535; costs a few loads.
	std::uint16_t
	now() noexcept
	{
		const std::uint64_t seen = sample();
		const std::uint64_t last =
		    last_.load(std::memory_order_acquire);
		if ((last & counts_mask) == seen) [[likely]]
			return static_cast<std::uint16_t>(last >> 48);
		return changed(seen);
	}

	std::uint64_t changes() const noexcept { return changes_; }

private:
	// Four words, each 12 bits further up in one number.  A change is
	// missed only if one of them counts by more than 4000 between two
	// captures, and all together make nothing of it.
	static constexpr unsigned int places = 4, each = 48 / places;
	static constexpr std::uint64_t counts_mask =
	    (std::uint64_t{1} << 48) - 1;

	// Another thread may be loading.  Torn counts are a generation, too.
	std::uint64_t
	sample() const noexcept
	{
		static_assert(places == 4);
		return (count(0) + (count(1) << each) +
		    (count(2) << 2 * each) + (count(3) << 3 * each)) &
		    counts_mask;
	}
	std::uint64_t
	count(unsigned int i) const noexcept
	{
		return __atomic_load_n(places_[i], __ATOMIC_RELAXED);
	}
	std::uint16_t changed(std::uint64_t seen) noexcept;
	void note(const std::uint32_t *at) noexcept;

	static constexpr std::uint32_t	 nothing_ = 0;
	std::array<const std::uint32_t *, places> places_{&nothing_, &nothing_,
	    &nothing_, &nothing_};
	unsigned int			 count_ = 0;
	// The counts last seen, and above them the generation they made: one
	// word, so that a generation never belongs to other counts.
	std::atomic<std::uint64_t>	 last_{std::uint64_t{1} << 48};
	std::atomic<std::uint64_t>	 changes_{0};
};

extern generations code_generation;

} // namespace stack9::unwind
