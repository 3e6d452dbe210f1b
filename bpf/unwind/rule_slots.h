// Writes rules into the slots that the programs read and fill, too.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_set>

#include "layout.h"
#include "mapped_array.h"
#include "rule_budget.h"

namespace stack9::events {

class rule_slots {
public:
	// first: the map of the first part: it has one more word; more: that of
	// the other parts.  0; or an errno.
	int open(int first, int more, const rule_budget &) noexcept;
	void close() noexcept;
	bool is_open() const noexcept { return first_.size() != 0; }

	// The rule of a key; 0: it has none.
	std::uint32_t find(std::uint64_t key) const noexcept;
	// Keeps a rule for good.  False: all of its slots are full, and there
	// may be no more.  Throws std::bad_alloc.
	bool add(std::uint64_t key, std::uint32_t rule);

	// Says that a list of code was given.
	void say_reported() noexcept;

	// Rules that were added, and those that found no place.  So many of the
	// latter are counted, each once, and the others are not.
	static constexpr std::size_t most_refused = 1 << 16;
	std::uint64_t added() const noexcept { return added_; }
	std::uint64_t refused() const noexcept { return refused_.size(); }

private:
	using part = mapped_array<std::uint64_t>;

	std::uint64_t *slot_of(const part &, std::uint64_t key) const noexcept;
	std::uint64_t *slot_of(std::uint64_t key) const noexcept;
	bool grow();

	part		first_;
	std::deque<part> others_;
	rule_budget	room_;
	int		more_ = -1;
	std::uint64_t	added_ = 0;
	std::unordered_set<std::uint64_t> refused_;	// their keys
};

} // namespace stack9::events
