// Finds the FDE of a pc by the table of .eh_frame_hdr (LSB 10.6.2), or by
// reading all entries.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "cfi.h"

#include <algorithm>
#include <limits>

#include "cfi_entry.h"

namespace stack9::unwind {

namespace {

struct header {
	std::uintptr_t	eh_frame = 0;
	std::uint64_t	count = 0;
	std::uint8_t	encoding = encoding::omitted;	// the table's
	cursor		table;
};

[[gnu::always_inline]] inline bool
read_header(const cfi_section &image, std::size_t offset, header &h) noexcept
{
	cursor c(image, offset);
	const auto version = c.fixed<std::uint8_t>();
	const auto eh_frame_encoding = c.fixed<std::uint8_t>();
	const auto count_encoding = c.fixed<std::uint8_t>();

	h.encoding = encoding_in(image, c.fixed<std::uint8_t>());
	h.eh_frame = c.pointer(encoding_in(image, eh_frame_encoding), image);
	if (count_encoding == encoding::omitted)
		h.encoding = encoding::omitted;
	else
		h.count = c.pointer(encoding_in(image, count_encoding), image);
	h.table = c;
	return c.ok() && version == 1;
}

// Returns the size of a number in the table; 0: the table cannot be searched.
std::size_t
width(std::uint8_t encoding) noexcept
{
	if (encoding == encoding::omitted)
		return 0;
	switch (encoding & encoding::format) {
	case encoding::udata2:
	case encoding::sdata2:
		return 2;
	case encoding::udata4:
	case encoding::sdata4:
		return 4;
	case encoding::absolute:
	case encoding::udata8:
	case encoding::sdata8:
		return 8;
	}
	return 0;
}

// Searches the form that all linkers write: two 32-bit distances from the
// header.  The loop has no branches, because the place of a pc cannot be
// predicted.
std::uintptr_t
search_distances(std::span<const std::byte> table, std::uintptr_t hdr,
    std::int32_t distance) noexcept
{
	struct { std::int32_t begin, fde; } pair;
	std::size_t first = 0;

	for (std::size_t n = table.size() / sizeof pair; n > 1;) {
		const std::size_t half = n / 2;
		std::memcpy(&pair, &table[(first + half) * sizeof pair],
		    sizeof pair);
		first = pair.begin <= distance ? first + half : first;
		n -= half;
	}
	std::memcpy(&pair, &table[first * sizeof pair], sizeof pair);
	return hdr + static_cast<std::uintptr_t>(std::intptr_t{pair.fde});
}

// Reads an entry; the FDE's address is in the place of its offset.
fde_place
entry_at(const header &h, const cfi_section &image, std::size_t size,
    std::size_t n) noexcept
{
	cursor c = h.table;

	c.skip(n * 2 * size);
	const std::uintptr_t begin = c.pointer(h.encoding, image);
	return {begin, c.pointer(h.encoding, image)};
}

// Finds the last entry that begins at pc or before it, or the first entry, in a
// table of any encoding of a fixed width.
std::size_t
search_entries(const header &h, const cfi_section &image, std::size_t size,
    std::uintptr_t pc) noexcept
{
	std::size_t first = 0;

	for (std::size_t n = h.count; n > 1;) {
		const std::size_t half = n / 2;
		if (entry_at(h, image, size, first + half).begin <= pc)
			first += half;
		n -= half;
	}
	return first;
}

// Counts the entries that begin before an address.
std::size_t
entries_before(const header &h, const cfi_section &image, std::size_t size,
    std::uintptr_t address) noexcept
{
	if (h.count == 0 || entry_at(h, image, size, 0).begin >= address)
		return 0;
	return search_entries(h, image, size, address - 1) + 1;
}

// True if the whole table is there.
bool
is_whole(const header &h, std::size_t size) noexcept
{
	return h.count <= h.table.left() / (2 * size);
}

// Finds the FDE that may cover pc.  no: the header has no table, or an empty
// one.
[[gnu::always_inline]] inline found
find_fde(const cfi_section &image, std::uintptr_t hdr_address,
    std::uintptr_t pc, header &h, std::size_t &fde_offset) noexcept
{
	using limits = std::numeric_limits<std::int32_t>;
	constexpr std::uint8_t usual = encoding::relative_data |
	    encoding::sdata4;
	const auto distance = static_cast<std::intptr_t>(pc - hdr_address);
	cfi_section s = image;

	s.data = hdr_address;
	if (!read_header(s, hdr_address - image.address, h))
		return found::malformed;
	const bool is_usual = h.encoding == usual &&
	    distance >= limits::min() && distance <= limits::max();
	const std::size_t size = is_usual ? 4 : width(h.encoding);
	if (size == 0 || h.count == 0)
		return found::no;
	if (!is_whole(h, size))
		return found::malformed;
	fde_offset = (is_usual ? search_distances(h.table.block(h.count * 2 *
	    size), hdr_address, static_cast<std::int32_t>(distance)) :
	    entry_at(h, s, size, search_entries(h, s, size, pc)).fde) -
	    image.address;
	return found::yes;
}

} // namespace

// A CIE that cannot be read hides only the functions that belong to it.
found
row_by_search(const cfi_section &s, std::uintptr_t pc, row &to) noexcept
{
	found otherwise = found::no;
	std::size_t cie_offset = s.bytes.size();	// common's; or none
	cie common;
	fde function;

	for (std::size_t at = 0; at < s.bytes.size();) {
		const entry e = read_entry(s, at);
		if (e.what == entry::terminator && !s.debug_frame)
			break;
		if (e.what == entry::bad)
			return found::malformed;
		at = e.next;
		if (e.what != entry::is_fde)
			continue;
		if (e.cie_offset != cie_offset) {
			common = {};
			cie_offset = e.cie_offset;
			if (!read_cie(s, cie_offset, common))
				cie_offset = s.bytes.size();
		}
		if (cie_offset == s.bytes.size() ||
		    !read_fde(s, e, common, function))
			otherwise = found::malformed;
		else if (function.covers(pc))
			return run_program(s, common, function, pc, to) ?
			    found::yes : found::malformed;
	}
	return otherwise;
}

found
fde_by_header(const cfi_section &image, std::uintptr_t hdr_address,
    std::uintptr_t pc, std::size_t &fde_offset, bool &has_table) noexcept
{
	header h;
	const found it = find_fde(image, hdr_address, pc, h, fde_offset);
	has_table = it == found::malformed || width(h.encoding) != 0;
	return it;
}

bool
fdes_by_header(const cfi_section &image, std::uintptr_t hdr_address,
    std::uintptr_t from, std::uintptr_t to, std::span<fde_place> all,
    std::size_t &many) noexcept
{
	cfi_section s = image;
	header h;

	s.data = hdr_address;
	many = 0;
	if (!read_header(s, hdr_address - image.address, h))
		return false;
	const std::size_t size = width(h.encoding);
	if (size == 0 || !is_whole(h, size))
		return false;
	const std::size_t first = search_entries(h, s, size, from),
	    end = entries_before(h, s, size, to);
	many = end - std::min(first, end);
	if (many > all.size())
		return false;
	for (std::size_t n = 0; n < many; n++) {
		all[n] = entry_at(h, s, size, first + n);
		all[n].fde -= image.address;
	}
	return true;
}

found
row_by_header(const cfi_section &image, std::uintptr_t hdr_address,
    std::uintptr_t pc, row &to) noexcept
{
	header h;
	std::size_t fde = 0;
	const found it = find_fde(image, hdr_address, pc, h, fde);
	if (it == found::yes)
		return row_of_fde(image, fde, pc, to);
	if (it == found::malformed || width(h.encoding) != 0)
		return it;
	const std::uintptr_t offset = h.eh_frame - image.address;
	if (offset > image.bytes.size())
		return found::malformed;
	cfi_section s = image;
	s.bytes = image.bytes.subspan(offset);
	s.address = h.eh_frame;
	return row_by_search(s, pc, to);
}

} // namespace stack9::unwind
