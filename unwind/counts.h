// Counts what the unwinder does beside its hot paths.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "rule.h"

namespace stack9::unwind {

enum class counter : std::uint8_t {
	computed,	// rules, when a pc is first seen
	guesses,	// frames left by their frame pointer alone
	interrupted,	// captures within another one of the thread
	no_state,	// captures of threads that have no memo
	threads,	// threads that were given a memo
	probes,		// pages tested for being readable
	full,		// + cause: walks finished by full stepping
	absent = full + cause_count,	// the same, because nothing covers a pc
	last
};

using counters = std::array<std::atomic<std::uint64_t>,
    static_cast<std::size_t>(counter::last)>;
inline constinit counters tally{};

inline void
count(counter c, std::uint64_t n = 1) noexcept
{
	tally[static_cast<std::size_t>(c)].fetch_add(n,
	    std::memory_order_relaxed);
}

constexpr counter
counter_of(cause c) noexcept
{
	return static_cast<counter>(static_cast<std::uint8_t>(counter::full) +
	    static_cast<std::uint8_t>(c));
}

} // namespace stack9::unwind
