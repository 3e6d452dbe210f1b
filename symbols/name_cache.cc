// Keeps names in a fixed table of slots.  A slot has a number that is odd while
// it is written, so that a reader sees a whole answer or none.  A writer that
// finds the number odd leaves: it may have interrupted the other writer.
//
// An address has two cells, each of which has a slot for good once it was
// needed.  Slots are given out in their order: rejected were slots that lie
// where the address says, for then the first stack of a process touches a page
// for each frame, and a page costs as much as three system calls.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "name_cache.h"

#include <atomic>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "unwind/generation.h"

namespace stack9 {
namespace {

// The text of a slot: a name, and after it the module's.
constexpr std::size_t name_room = 320;
constexpr std::size_t module_room = sizeof(symbol_name::module);
constexpr std::size_t text_words = (name_room + module_room) / 8;

struct name_slot {
	std::atomic<std::uint32_t>	number;
	// That of the name, and in the upper half the module's.
	std::atomic<std::uint32_t>	lengths;
	std::atomic<std::uint64_t>	key, stamp, offset, size;
	std::atomic<std::uint64_t>	text[text_words];
};

// 430 KiB at most: pages that were never written cost nothing.  The cells are
// in the first page, and the first slots follow them.
constexpr unsigned int sets_bits = 9, ways = 2;
constexpr unsigned int cells = ways << sets_bits;

struct alignas(4096) {
	std::atomic<std::uint32_t>	written;	// by expect_names()
	alignas(64) std::atomic<std::uint32_t>	given;	// slots
	std::atomic<std::uint16_t>	cell[1 << sets_bits][ways];
	name_slot			slot[cells];	// cells count from 1
} constinit kept_names{};

// The slot of a cell, or NULL.
name_slot *
slot_in(const std::atomic<std::uint16_t> &cell) noexcept
{
	const unsigned int n = cell.load(std::memory_order_acquire);
	return n == 0 ? nullptr : &kept_names.slot[n - 1];
}

// Gives the cell a slot if it has none.  NULL: there is none left.  If two do
// so at once, one slot is lost for good.
name_slot *
slot_for(std::atomic<std::uint16_t> &cell) noexcept
{
	if (slot_in(cell) == nullptr) {
		auto &given = kept_names.given;
		std::uint32_t n = given.load(std::memory_order_relaxed);
		do
			if (n == cells)
				return nullptr;
		while (!given.compare_exchange_weak(n, n + 1,
		    std::memory_order_relaxed));
		// The first access to the page is a write.  This costs one
		// fault instead of two.
		kept_names.slot[n].stamp.store(0, std::memory_order_relaxed);
		// Rejected: an exchange, because RISC-V leaves it to a library.
		cell.store(static_cast<std::uint16_t>(n + 1),
		    std::memory_order_release);
	}
	return slot_in(cell);
}

std::uint64_t
name_key(std::uintptr_t pc, bool return_address) noexcept
{
	return std::uint64_t{pc} << 1 | return_address;
}

std::atomic<std::uint16_t> (&cells_of(std::uint64_t key) noexcept)[ways]
{
	return kept_names.cell[key * 0x9e3779b97f4a7c15 >> (64 - sets_bits)];
}

void
copy_out(const name_slot &s, char *to, std::size_t from, std::size_t len)
    noexcept
{
	for (std::size_t i = 0; i < len; i += 8) {
		const std::uint64_t word = s.text[(from + i) / 8].load(
		    std::memory_order_relaxed);
		std::memcpy(to + i, &word, len - i < 8 ? len - i : 8);
	}
	to[len] = '\0';
}

void
copy_in(name_slot &s, const char *text, std::size_t to, std::size_t len)
    noexcept
{
	for (std::size_t i = 0; i < len; i += 8) {
		std::uint64_t word = 0;
		std::memcpy(&word, text + i, len - i < 8 ? len - i : 8);
		s.text[(to + i) / 8].store(word, std::memory_order_relaxed);
	}
}

bool
read_name(const name_slot &s, std::uint64_t key, std::uint64_t stamp,
    symbol_name &sym, bool &named) noexcept
{
	constexpr auto relaxed = std::memory_order_relaxed;
	const std::uint32_t number = s.number.load(std::memory_order_acquire);
	if (number % 2 != 0 || s.key.load(relaxed) != key ||
	    s.stamp.load(relaxed) != stamp)
		return false;
	const std::uint32_t lengths = s.lengths.load(relaxed);
	const std::uint32_t name = lengths % 65536, module = lengths / 65536;
	if (name >= name_room || module >= module_room)
		return false;	// it is being written
	copy_out(s, sym.name, 0, name);
	copy_out(s, sym.module, name_room, module);
	sym.offset = s.offset.load(relaxed);
	sym.size = s.size.load(relaxed);
	named = name != 0;
	std::atomic_thread_fence(std::memory_order_acquire);
	return s.number.load(relaxed) == number;
}

} // namespace

std::uint64_t
code_stamp() noexcept
{
	using unwind::code_generation;
	if (!code_generation.known())
		return 0;
	const std::uint64_t generation = code_generation.now();
	return code_generation.changes() << 16 | generation;
}

void
expect_names() noexcept
{
	kept_names.written.store(1, std::memory_order_relaxed);
}

int
cached_name(std::uintptr_t pc, bool return_address, symbol_name &sym) noexcept
{
	const std::uint64_t stamp = code_stamp();
	const std::uint64_t key = name_key(pc, return_address);
	if (stamp == 0)
		return EAGAIN;
	bool named = false;
	for (const auto &cell : cells_of(key))
		if (const name_slot *const s = slot_in(cell);
		    s != nullptr && read_name(*s, key, stamp, sym, named))
			return named ? 0 : ENOENT;
	return EAGAIN;
}

// A slot that is being written is not read, so this may be wrong for once: then
// the name is found twice.
bool
has_cached_name(std::uintptr_t pc, bool return_address) noexcept
{
	constexpr auto relaxed = std::memory_order_relaxed;
	const std::uint64_t stamp = code_stamp();
	const std::uint64_t key = name_key(pc, return_address);
	for (const auto &cell : cells_of(key))
		if (const name_slot *const s = slot_in(cell); s != nullptr &&
		    stamp != 0 && s->key.load(relaxed) == key &&
		    s->stamp.load(relaxed) == stamp)
			return true;
	return false;
}

void
cache_name(std::uint64_t stamp, std::uintptr_t pc, bool return_address,
    int answer, const symbol_name &sym) noexcept
{
	constexpr auto relaxed = std::memory_order_relaxed;
	const std::size_t name = answer == 0 ? std::strlen(sym.name) : 0;
	const std::size_t module = answer == 0 ? std::strlen(sym.module) : 0;
	if (stamp == 0 || name >= name_room || module >= module_room ||
	    (answer == 0 && name == 0))
		return;
	const std::uint64_t key = name_key(pc, return_address);
	auto &set = cells_of(key);
	// The same address first, then a slot of other code, then one that
	// nobody has yet, then any.
	auto *cell = &set[std::popcount(key) % ways];
	for (auto &empty : set)
		if (slot_in(empty) == nullptr)
			cell = &empty;
	for (auto &used : set) {
		const name_slot *const other = slot_in(used);
		if (other != nullptr && other->stamp.load(relaxed) != stamp)
			cell = &used;
	}
	for (auto &used : set) {
		const name_slot *const same = slot_in(used);
		if (same == nullptr || same->key.load(relaxed) != key)
			continue;
		if (same->stamp.load(relaxed) == stamp &&
		    (same->lengths.load(relaxed) % 65536 != 0) == (answer == 0))
			return;
		cell = &used;
	}
	name_slot *const s = slot_for(*cell);
	if (s == nullptr)
		return;
	std::uint32_t number = s->number.load(relaxed);
	if (number % 2 != 0 || !s->number.compare_exchange_strong(number,
	    number + 1, std::memory_order_acquire))
		return;
	std::atomic_thread_fence(std::memory_order_release);
	s->key.store(key, relaxed);
	s->stamp.store(stamp, relaxed);
	s->lengths.store(static_cast<std::uint32_t>(module << 16 | name),
	    relaxed);
	s->offset.store(sym.offset, relaxed);
	s->size.store(sym.size, relaxed);
	copy_in(*s, sym.name, 0, name);
	copy_in(*s, sym.module, name_room, module);
	s->number.store(number + 2, std::memory_order_release);
}

} // namespace stack9
