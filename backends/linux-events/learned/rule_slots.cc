// Finds and fills slots.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "rule_slots.h"

#include <atomic>

namespace stack9::events {

namespace {

std::uint64_t
value_of(std::uint64_t &slot) noexcept
{
	return std::atomic_ref<std::uint64_t>(slot).load(
	    std::memory_order_relaxed);
}

} // namespace

// The slot of the key, or the first free one; nullptr: there is neither.
std::uint64_t *
rule_slots::slot_of(std::uint64_t key) const noexcept
{
	const std::uint64_t first = S9_SLOT_OF_KEY(key, bits_);
	for (std::uint64_t way = 0; way < S9_WAYS; way++) {
		std::uint64_t &each = slots_[first ^ way];
		const std::uint64_t now = value_of(each);
		if (now == 0 || now >> S9_RULE_BITS == key)
			return &each;
	}
	return nullptr;
}

std::uint32_t
rule_slots::find(std::uint64_t key) const noexcept
{
	std::uint64_t *const slot = slot_of(key);
	return slot == nullptr ? 0 :
	    static_cast<std::uint32_t>(value_of(*slot) & S9_RULE_MASK);
}

void
rule_slots::say_told() noexcept
{
	std::atomic_ref<std::uint64_t>(slots_[std::size_t{1} << bits_]).
	    fetch_add(1);
}

bool
rule_slots::add(std::uint64_t key, std::uint32_t rule) noexcept
{
	for (;;) {
		std::uint64_t *const slot = slot_of(key);
		if (slot == nullptr) {
			refused_++;
			return false;
		}
		std::uint64_t before = 0;
		if (std::atomic_ref<std::uint64_t>(*slot).
		    compare_exchange_strong(before, key << S9_RULE_BITS |
		    rule)) {
			added_++;
			return true;
		}
		// A program may have filled it meanwhile.
		if (before >> S9_RULE_BITS == key)
			return true;
	}
}

} // namespace stack9::events
