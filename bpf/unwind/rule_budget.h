// Divides the memory that learned rules may take among their maps.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "layout.h"

struct bpf_object;

namespace stack9::events {

inline constexpr std::size_t least_rules = std::size_t{64} << 10;
inline constexpr std::size_t usual_rules = std::size_t{16} << 20;
inline constexpr std::size_t most_rules = std::size_t{1} << 30;

// Slots come in parts of one size.  The first part and what the rows take are
// there from the beginning, and other parts come when they are needed.
struct rule_budget {
	std::uint32_t	bits = 0;	// of the number of slots of a part
	std::uint32_t	more = 0;	// parts beside the first, at most
	std::uint32_t	rows = 0, pages = 0;

	constexpr std::size_t
	part() const noexcept
	{
		return std::size_t{8} << bits;
	}
	// The bytes that are there from the beginning.
	constexpr std::size_t
	first() const noexcept
	{
		return part() + std::size_t{4} * rows + std::size_t{8} * pages;
	}
	constexpr std::size_t
	most() const noexcept
	{
		return first() + more * part();
	}
};

// A power of 2: threads that run at the same time have memos of their own, as a
// rule.  Each takes 7 KB.
std::uint32_t memos_for(unsigned int cpus) noexcept;

// bytes: least_rules to most_rules.
constexpr rule_budget
room_for_rules(std::size_t bytes) noexcept
{
	rule_budget r{S9_TABLE_BITS, 0, S9_ROWS, S9_PAGES};
	for (; r.first() > bytes; r.bits--) {
		r.rows /= 2;
		r.pages /= 2;
	}
	while (r.first() + (S9_MORE_PARTS + 1) * r.part() <= bytes)
		r.bits++;
	r.more = static_cast<std::uint32_t>(std::min<std::size_t>(
	    S9_MORE_PARTS, (bytes - r.first()) / r.part()));
	return r;
}
static_assert(room_for_rules(usual_rules).most() <= usual_rules);
static_assert(room_for_rules(least_rules).first() <= least_rules);
static_assert(room_for_rules(most_rules).most() <= most_rules);
static_assert(room_for_rules(most_rules).bits < 26);

// Makes the maps as large as that, before the object is loaded, except the
// parts beside the first: sized_parts.h.  may_grow: whether a hash table may
// take its memory when it needs it.  0, or an errno.
int size_rule_maps(bpf_object *, const rule_budget &, bool may_grow) noexcept;

} // namespace stack9::events
