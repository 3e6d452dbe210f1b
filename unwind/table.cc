// Keeps rules in the table, and computes those that it lacks.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "table.h"

#include "begin.h"
#include "counts.h"
#include "module.h"
#include "row_here.h"
#include "stacks.h"

namespace stack9::unwind {

constinit rule_table rules;

// Chooses the entry to replace where none is free: one of another generation,
// then any.  In the table of files another generation is another file, whose
// rules may still be wanted.
[[gnu::noinline]] rule_table::entry &
rule_table::victim(std::uint64_t key) noexcept
{
	const std::array<std::uint32_t, 2> lines{place(key), other_place(key)};
	for (const std::uint32_t line : lines)
		for (std::uint32_t way = 0; way < ways; way++) {
			entry &e = entries_[line ^ way];
			const std::uint64_t held =
			    e.key.load(std::memory_order_relaxed);
			if (held != taken && (held ^ key) >> 48 != 0)
				return e;
		}
	evicted_.fetch_add(1, std::memory_order_relaxed);
	const std::uint32_t turn =
	    turn_.fetch_add(1, std::memory_order_relaxed);
	return entries_[lines[turn / ways % lines.size()] ^ turn % ways];
}

// Chooses the entry for a key.
inline rule_table::entry &
rule_table::entry_for(std::uint64_t key) noexcept
{
	for (const std::uint32_t line : {place(key), other_place(key)})
		for (std::uint32_t way = 0; way < ways; way++)
			if (entry &e = entries_[line ^ way];
			    e.key.load(std::memory_order_relaxed) == 0)
				return e;
	return victim(key);
}

const rule_table::entry *
rule_table::keep(std::uint64_t key, rule r) noexcept
{
	entry &e = entry_for(key);
	std::uint64_t held = e.key.load(std::memory_order_relaxed);
	if (held == taken || !e.key.compare_exchange_strong(held, taken,
	    std::memory_order_acq_rel))
		return nullptr;
	e.bits.store(r.bits(), std::memory_order_release);
	e.next.store(distance(e), std::memory_order_relaxed);
	e.key.store(key, std::memory_order_release);
	return &e;
}

void
rule_table::forget() noexcept
{
	for (entry &e : entries_) {
		std::uint64_t held = e.key.load(std::memory_order_relaxed);
		if (held != 0 && held != taken)
			e.key.compare_exchange_strong(held, 0,
			    std::memory_order_acq_rel);
	}
}

namespace {

// The byte before a planted return address belongs to another function, or to
// none.
rule
rule_at(std::uintptr_t lookup) noexcept
{
	const rule r = rule_here(lookup);
	if (r.kind() != kind::absent || !in_module(lookup))
		return r;
	row next;
	own_memory words;
	if (row_here(lookup + 1, next) == found::yes &&
	    is_planted(next, lookup + 1, words, lookup + 1))
		return kind::end;
	return {kind::absent, !behind_call(words, lookup + 1)};
}

} // namespace

looked_up
compute(std::uint64_t key, std::uintptr_t lookup) noexcept
{
	const rule r = rule_at(lookup);
	count(counter::computed);
	return {r, rules.keep(key, r)};
}

} // namespace stack9::unwind
