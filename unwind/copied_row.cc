// Copies an FDE and its CIE, one after the other, and reads them as a section
// of their own.  Only the usual form of the table that leads to them is known
// here; any other form is read in place.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "copied_row.h"

#include <cstring>

#include "cfi.h"
#include "counts.h"
#include "generation.h"
#include "module.h"
#include "row_here.h"
#include "table.h"

namespace stack9::unwind {
namespace {

struct copied_header {
	std::uint8_t	version, eh_frame, count, table;	// encodings
	std::int32_t	eh_frame_distance;
	std::uint32_t	count_value;
};
// DW_EH_PE_udata4 and DW_EH_PE_datarel | DW_EH_PE_sdata4.
constexpr std::uint8_t usual_count = 0x03, usual_table = 0x3b;

struct pair {
	std::int32_t	begin, fde;	// distances from the header
};

// The first words of an entry.
struct entry_head {
	std::uint32_t	length;		// without this word
	std::uint32_t	cie_distance;	// back from this word

	static constexpr std::uint32_t wide = 0xffffffff;	// 64-bit DWARF
	std::size_t size() const noexcept { return length + sizeof length; }
};

template <typename T>
bool
fetch(memory &words, std::uintptr_t at, T &to) noexcept
{
	return words.read(at, &to, sizeof to);
}

// Finds the entry that may cover the code at the distance from the header.
bool
find_nearest(memory &words, std::uintptr_t table, std::size_t count,
    std::intptr_t distance, pair &nearest) noexcept
{
	std::size_t first = 0;
	while (count > 1) {
		const std::size_t half = count / 2;
		pair middle;
		if (!fetch(words, table + (first + half) * sizeof middle,
		    middle))
			return false;
		if (middle.begin <= distance)
			first += half;
		count -= half;
	}
	return fetch(words, table + first * sizeof nearest, nearest);
}

} // namespace

found
copied_row::read(memory &words, std::uintptr_t pc) noexcept
{
	return or_trampoline(search(words, pc), words, pc, row_);
}

found
copied_row::search(memory &words, std::uintptr_t pc) noexcept
{
	loaded_module object;
	copied_header h;
	pair nearest;
	if (!find_module(pc, object) || object.eh_frame_hdr == nullptr)
		return found::no;
	const auto at = reinterpret_cast<std::uintptr_t>(object.eh_frame_hdr);
	if (!fetch(words, at, h))
		return found::malformed;
	if (h.version != 1 || h.count != usual_count || h.table != usual_table)
		return row_here(pc, row_);
	if (h.count_value == 0)
		return found::no;
	if (!find_nearest(words, at + sizeof h, h.count_value,
	    static_cast<std::intptr_t>(pc - at), nearest))
		return found::malformed;
	return read_entry(words,
	    at + static_cast<std::uintptr_t>(std::intptr_t{nearest.fde}), pc);
}

found
copied_row::read_entry(memory &words, std::uintptr_t at, std::uintptr_t pc)
    noexcept
{
	entry_head fde;
	std::uint32_t cie_length;
	if (!fetch(words, at, fde) || fde.length < sizeof fde.cie_distance)
		return found::malformed;
	const std::uintptr_t cie = at + sizeof fde.length - fde.cie_distance;
	if (!fetch(words, cie, cie_length))
		return found::malformed;
	const std::size_t cie_size = cie_length + sizeof cie_length;
	if (fde.length == entry_head::wide || cie_length == entry_head::wide ||
	    cie_size > bytes_.size() || fde.size() > bytes_.size() - cie_size)
		return row_here(pc, row_);
	std::byte *const copy = bytes_.data() + cie_size;
	if (!words.read(cie, bytes_.data(), cie_size) ||
	    !words.read(at, copy, fde.size()))
		return found::malformed;
	// The lengths stay those that were found to fit.
	fde.cie_distance = static_cast<std::uint32_t>(cie_size +
	    sizeof fde.length);
	std::memcpy(bytes_.data(), &cie_length, sizeof cie_length);
	std::memcpy(copy, &fde, sizeof fde);
	cfi_section section;
	section.bytes = {bytes_.data(), cie_size + fde.size()};
	section.address = at - cie_size;
	return row_of_fde(section, cie_size, pc, row_);
}

rule
rule_for(memory &words, std::uintptr_t lookup, copied_row &scratch) noexcept
{
	const std::uint16_t generation = code_generation.now();
	if (!rule_table::can_hold(lookup))
		return rule(kind::absent);
	const std::uint64_t key = rule_table::key_of(generation, lookup);
	const rule_table::entry *const e = rules.find(key);
	rule r;
	if (e != nullptr && e->get(key, r))
		return r;
	const found how = scratch.read(words, lookup);
	r = how == found::yes ? rule_of_row(scratch.get(), lookup) :
	    how == found::no ? rule(kind::absent) : rule(cause::malformed);
	count(counter::computed);
	// While a module is loaded or unloaded, the row may be of no module.
	if (how != found::malformed && code_generation.now() == generation)
		rules.keep(key, r);
	return r;
}

rule
copied_code::rule_of(std::uintptr_t lookup) noexcept
{
	return rule_for(words_, lookup, row_);
}

found
copied_code::row_of(std::uintptr_t lookup, row &to) noexcept
{
	const found how = row_.read(words_, lookup);
	if (how == found::yes)
		to = row_.get();
	return how;
}

bool
copied_code::covers(std::uintptr_t pc) noexcept
{
	return in_module(pc);
}

} // namespace stack9::unwind
