// Keeps the generation of this process's code.  It changes whenever the loader
// loads or unloads something, and rules of another generation do not match.
//
// The loader counts both.  The places of the counts (os/loader_counts.h) are
// noted at load, and are read from then on; a wrong place that changes costs a
// few rules computed again.  Rejected: comparing what the loader says of each
// module (a plugin that is built again and loaded again has the same name,
// address and size), build-ids (not everything has one), interposing dlclose(3)
// (a module that was linked before this library does not call ours).
//
// Where modules are found in lists (module_list.h), a new list makes a new
// generation, too.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "os/loaded_objects.h"

namespace stack9::unwind {

// Counts the lists.
inline constinit std::atomic<std::uint32_t> lists_made{0};

class generations {
public:
	// Notes the places of the counts; called at load.
	void start() noexcept;
	// False if they were not found (another C library, a static program);
	// then no rule may be kept.
	bool known() const noexcept { return known_; }

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

	// One number of all that the loader counts.  Another thread may be
	// loading: torn counts are a number, too.
	std::uint64_t
	loader_counts() const noexcept
	{
		static_assert(places == 4);
		return (count(0) + (count(1) << each) +
		    (count(2) << 2 * each) + (count(3) << 3 * each)) &
		    counts_mask;
	}

private:
	// Four words, each 12 bits further up in one number.  A change is
	// missed only if one of them counts by more than 4000 between two
	// captures, and all together make nothing of it.
	static constexpr unsigned int places = 4, each = 48 / places;
	static constexpr std::uint64_t counts_mask =
	    (std::uint64_t{1} << 48) - 1;

	// Lists count in steps that no loads and unloads make together.
	std::uint64_t
	sample() const noexcept
	{
		constexpr std::uint64_t step = 0x9e3779b97f4a7c15;
		if constexpr (finds_loaded)
			return loader_counts();
		else
			return (loader_counts() + step * lists_made.load(
			    std::memory_order_acquire)) & counts_mask;
	}
	std::uint64_t
	count(unsigned int i) const noexcept
	{
		return __atomic_load_n(places_[i], __ATOMIC_RELAXED);
	}
	std::uint16_t changed(std::uint64_t seen) noexcept;

	static constexpr std::uint32_t	 nothing_ = 0;
	std::array<const std::uint32_t *, places> places_{&nothing_, &nothing_,
	    &nothing_, &nothing_};
	bool				 known_ = false;
	// The counts last seen, and above them the generation they made: one
	// word, so that a generation never belongs to other counts.
	std::atomic<std::uint64_t>	 last_{std::uint64_t{1} << 48};
	std::atomic<std::uint64_t>	 changes_{0};
};

extern generations code_generation;

} // namespace stack9::unwind
