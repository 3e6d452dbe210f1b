// The process's rules: a lock-free table from the address looked up (the pc
// where a frame goes on, or a return address less one) to its rule.
//
// An entry is two words, and no lock keeps them together.  A writer first
// takes the key away, then writes the rule, then puts the new key in; a reader
// reads the key on both sides of the rule.  Only one writer can take a key
// away (who finds it gone keeps nothing), so a rule never stands under another
// entry's key, and a torn entry cannot match.  A process forked in the middle
// has one entry less.
//
// Each entry guesses which one comes next, which was right the last time: the
// walk then need not wait for the return address to know the rule, only check
// it, and processors check ahead.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "rule.h"

namespace stack9::unwind {

class rule_table {
public:
	static constexpr std::uint32_t size = 1 << 15;

	struct alignas(16) entry {
		std::atomic<std::uint64_t>	 key{0};
		std::atomic<std::uint32_t>	 bits{0};
		std::atomic<std::uint32_t>	 next{0};	// a guess

		// True, and the rule, if the entry is k's.
		[[gnu::always_inline]] bool
		get(std::uint64_t k, rule &r) const noexcept
		{
			if (key.load(std::memory_order_acquire) != k)
				return false;
			r = rule(bits.load(std::memory_order_acquire));
			return key.load(std::memory_order_relaxed) == k;
		}
	};

	// Generation and address in one word.  0 and 1 are no keys.
	static constexpr std::uint64_t
	key_of(std::uint16_t generation, std::uintptr_t lookup) noexcept
	{
		return std::uint64_t{generation} << 48 ^ lookup;
	}
	static constexpr bool
	can_hold(std::uintptr_t lookup) noexcept
	{
		return lookup >> 48 == 0;
	}

	// The entry that followed last time.  next is in bytes: this is on the
	// one path of a walk that cannot be guessed.
	const entry &
	behind(const entry &e) const noexcept
	{
		return at(e.next.load(std::memory_order_relaxed));
	}
	// The entry that holds key, or nullptr.
	const entry *
	find(std::uint64_t key) const noexcept
	{
		const std::uint32_t first = place(key);
		for (std::uint32_t way = 0; way < ways; way++) {
			const entry &e = entries_[first ^ way];
			if (e.key.load(std::memory_order_relaxed) == key)
				return &e;
		}
		return nullptr;
	}
	// The one that does, mostly, for a return address.
	const entry &
	first(std::uintptr_t ra) const noexcept
	{
		return at(ra & (size - 1) * sizeof(entry));
	}
	// Keeps a rule in place of another; nullptr: it was not kept.
	const entry *keep(std::uint64_t key, rule) noexcept;
	// The next of from was to.
	void
	follow(const entry &from, const entry &to) noexcept
	{
		const_cast<entry &>(from).next.store(distance(to),
		    std::memory_order_relaxed);
	}
	void forget() noexcept;

	std::uint64_t evicted() const noexcept { return evicted_; }

private:
	// The entries of a cache line: the place and its neighbours.
	static constexpr std::uint32_t ways = 4;
	static constexpr std::uint64_t taken = 1;

	// An entry for 16 bytes of code, which seldom hold two calls; so the
	// place, in bytes, is some bits of the return address as they are.  A
	// better hash would be on the walk's one path: each of its operations
	// was measured there.  And the code of a page has a page of the table.
	static std::uint32_t
	place(std::uint64_t key) noexcept
	{
		static_assert(sizeof(entry) == 16);
		return static_cast<std::uint32_t>((key + 1) / sizeof(entry)) %
		    size;
	}
	const entry &
	at(std::uintptr_t distance) const noexcept
	{
		return *reinterpret_cast<const entry *>(
		    reinterpret_cast<const std::byte *>(entries_.data()) +
		    distance);
	}
	entry &victim(std::uint64_t key) noexcept;
	std::uint32_t
	distance(const entry &e) const noexcept
	{
		return static_cast<std::uint32_t>(
		    (&e - entries_.data()) * sizeof e);
	}

	alignas(4096) std::array<entry, size>	 entries_{};
	std::atomic<std::uint32_t>		 turn_{0};
	std::atomic<std::uint64_t>		 evicted_{0};
};

extern rule_table rules;

// What a rule is, and the entry that holds it if one does.
struct looked_up {
	rule				 what;
	const rule_table::entry		*where;
};

// Computes the rule for an address, and keeps it.
looked_up compute(std::uint64_t key, std::uintptr_t lookup) noexcept;

// The rule for an address of this process's code, computed at first sight.
// No lock, no allocation, no system call where a module covers it.
// Async-signal-safe.
inline looked_up
look_up(std::uint16_t generation, std::uintptr_t lookup) noexcept
{
	if (!rule_table::can_hold(lookup)) [[unlikely]]
		return {rule(kind::absent), nullptr};
	const std::uint64_t key = rule_table::key_of(generation, lookup);
	const rule_table::entry *const e = rules.find(key);
	rule r;
	return e != nullptr && e->get(key, r) ? looked_up{r, e} :
	    compute(key, lookup);
}

} // namespace stack9::unwind
