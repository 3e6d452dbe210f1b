// Finds the exported symbols of a loaded module where the loader itself looks
// them up: in memory.  No file is needed for them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "symbol_section.h"

#include <algorithm>

#include "image.h"

namespace stack9 {
namespace {

// The places of the symbols, as the loader's tables have them.
struct loader_tables {
	std::uintptr_t	symbols = 0, names = 0, hash = 0, gnu_hash = 0;
	std::uint64_t	names_size = 0, entry = 0;
};

// A module has some 30 of them.
constexpr std::size_t dynamic_max = 1024;

bool
read_tables(const bytes &b, std::uintptr_t dynamic,
    std::span<ElfW(Dyn)> room, loader_tables &to) noexcept
{
	bool whole = false;
	b.each(dynamic - b.base, dynamic_max * sizeof(ElfW(Dyn)), room,
	    [&](const ElfW(Dyn) &d) {
		switch (d.d_tag) {
		case DT_NULL:
			whole = true;
			return false;
		case DT_SYMTAB:
			to.symbols = d.d_un.d_ptr;
			break;
		case DT_STRTAB:
			to.names = d.d_un.d_ptr;
			break;
		case DT_STRSZ:
			to.names_size = d.d_un.d_val;
			break;
		case DT_SYMENT:
			to.entry = d.d_un.d_val;
			break;
		case DT_HASH:
			to.hash = d.d_un.d_ptr;
			break;
		case DT_GNU_HASH:
			to.gnu_hash = d.d_un.d_ptr;
			break;
		}
		return true;
	});
	return whole && to.symbols != 0 && to.names != 0 &&
	    to.entry == sizeof(ElfW(Sym));
}

// The symbols that can be looked up, [first, end).
struct range {
	std::uint64_t	first = 0, end = 0;
};

struct gnu_header {
	std::uint32_t	buckets, first, bloom, shift;
};

// The last symbol is the last of the chain that begins last.
bool
read_gnu_hash(const bytes &b, std::uint64_t at, std::span<std::uint32_t> room,
    range &to) noexcept
{
	gnu_header h;
	if (!b.get(at, h))
		return false;
	const std::uint64_t buckets = at + sizeof(h) +
	    std::uint64_t{h.bloom} * sizeof(ElfW(Addr));
	const std::uint64_t chains = buckets + std::uint64_t{h.buckets} * 4;
	if (chains > b.size)
		return false;
	std::uint32_t last = 0;
	b.each(buckets, chains - buckets, room, [&](std::uint32_t bucket) {
		last = std::max(last, bucket);
		return true;
	});
	to = {h.first, h.first};
	if (last < h.first)
		return true;	// it exports nothing
	const std::uint64_t chain = chains + std::uint64_t{last - h.first} * 4;
	bool ended = false;
	b.each(chain, b.size - std::min<std::uint64_t>(chain, b.size), room,
	    [&](std::uint32_t link) {
		last++;
		ended = link % 2 != 0;
		return !ended;
	});
	to.end = last;
	return ended;
}

bool
read_range(const bytes &b, std::uint64_t hash, std::uint64_t gnu_hash,
    std::span<std::uint32_t> room, range &to) noexcept
{
	std::uint32_t words[2];	// buckets, symbols
	if (hash == 0)
		return gnu_hash != 0 && read_gnu_hash(b, gnu_hash, room, to);
	if (!b.get(hash, words))
		return false;
	to = {0, words[1]};
	return true;
}

} // namespace

// The loader of glibc has added the bias to the addresses in its tables, where
// these can be written; others leave them as they are.
bool
symbol_section::find_loaded(const bytes &b, std::uintptr_t dynamic,
    std::uintptr_t bias, loader_room room) noexcept
{
	loader_tables t;
	if (dynamic - b.base >= b.size ||
	    !read_tables(b, dynamic, room.dynamic, t))
		return false;
	const auto place = [&](std::uintptr_t p) -> std::uint64_t {
		return p == 0 ? 0 : (p - b.base < b.size ? p : p + bias) -
		    b.base;
	};
	const std::uint64_t at = place(t.symbols), text = place(t.names);
	range r;
	if (!read_range(b, place(t.hash), place(t.gnu_hash), room.words, r) ||
	    at >= b.size || r.end > (b.size - at) / sizeof(ElfW(Sym)) ||
	    text >= b.size || t.names_size > b.size - text)
		return false;
	*this = {at + r.first * sizeof(ElfW(Sym)),
	    (r.end - r.first) * sizeof(ElfW(Sym)), text, t.names_size, false};
	return true;
}

} // namespace stack9
