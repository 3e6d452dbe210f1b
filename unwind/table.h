// Keeps the process's rules in a lock-free table, by the address looked up (the
// pc at which a frame goes on, or a return address less one).
//
// An entry is two words, and no lock keeps them together.  A writer first takes
// the key away, then writes the rule, then puts the new key in; a reader reads
// the key on both sides of the rule.  Only one writer can take a key away (a
// writer that finds it gone keeps nothing), so a rule never has another entry's
// key, and a torn entry cannot match.  A process forked in the middle has one
// entry less.
//
// Each entry guesses which one comes next; the guess was right the last time.
// With it the walk knows the rule without waiting for the return address.  That
// only has to be checked, and processors check ahead.
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

		// Gives the rule if the entry's key is k; if not, returns
		// false.
		[[gnu::always_inline]] bool
		get(std::uint64_t k, rule &r) const noexcept
		{
			if (key.load(std::memory_order_acquire) != k)
				return false;
			r = rule(bits.load(std::memory_order_acquire));
			return key.load(std::memory_order_relaxed) == k;
		}
	};

	// Joins generation and address in one word.  0 and 1 are not keys.
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

	// Gives the entry that followed last time.  next is in bytes, because
	// this is on the one path of a walk that cannot be guessed.
	const entry &
	behind(const entry &e) const noexcept
	{
		return at(e.next.load(std::memory_order_relaxed));
	}
	// Gives the entry that holds key, or nullptr.  Entries are taken in
	// their order, so that after a free one there is nothing.
	const entry *
	find(std::uint64_t key) const noexcept
	{
		for (const std::uint32_t line : {place(key), other_place(key)})
			for (std::uint32_t way = 0; way < ways; way++) {
				const entry &e = entries_[line ^ way];
				const std::uint64_t held =
				    e.key.load(std::memory_order_relaxed);
				if (held == key)
					return &e;
				if (held == 0)
					return nullptr;
			}
		return nullptr;
	}
	// Gives the entry that mostly holds the key of a return address.
	const entry &
	first(std::uintptr_t ra) const noexcept
	{
		return at(ra & (size - 1) * sizeof(entry));
	}
	// Keeps a rule in place of another.  nullptr: it was not kept.
	const entry *keep(std::uint64_t key, rule) noexcept;
	// Notes that to came after from.
	void
	follow(const entry &from, const entry &to) noexcept
	{
		const_cast<entry &>(from).next.store(distance(to),
		    std::memory_order_relaxed);
	}
	void forget() noexcept;

	std::uint64_t evicted() const noexcept { return evicted_; }

private:
	// A key may be in any entry of its place's cache line, or of another
	// line.  With one line each, 64 bytes of code with five calls computed
	// the same rules again and again.
	static constexpr std::uint32_t ways = 4;
	static constexpr std::uint64_t taken = 1;

	// There is an entry for each 16 bytes of code, and these seldom hold
	// two calls.  So the place, in bytes, is some bits of the return
	// address as they are.  A better hash would be on the walk's one path,
	// where the cost of each of its operations was measured.  The code of a
	// page also has one page of the table.
	static std::uint32_t
	place(std::uint64_t key) noexcept
	{
		static_assert(sizeof(entry) == 16);
		return static_cast<std::uint32_t>((key + 1) / sizeof(entry)) %
		    size;
	}
	static std::uint32_t
	other_place(std::uint64_t key) noexcept
	{
		return place(key) ^ size / 2;
	}
	const entry &
	at(std::uintptr_t distance) const noexcept
	{
		return *reinterpret_cast<const entry *>(
		    reinterpret_cast<const std::byte *>(entries_.data()) +
		    distance);
	}
	entry &victim(std::uint64_t key) noexcept;
	entry &entry_for(std::uint64_t key) noexcept;
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

// A rule, and the entry that holds it; nullptr: none does.
struct looked_up {
	rule				 what;
	const rule_table::entry		*where;
};

// Computes the rule for an address, and keeps it.
looked_up compute(std::uint64_t key, std::uintptr_t lookup) noexcept;

// Finds the rule for an address of this process's code, and computes it if the
// table lacks it.  It takes no lock, allocates nothing, makes no system call if
// a module covers the address, and is async-signal-safe.
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
