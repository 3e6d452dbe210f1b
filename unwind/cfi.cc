// Reads CIEs and FDEs as they are written in .eh_frame (LSB 10.6.1) and in
// .debug_frame (DWARF 2 to 5).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "cfi.h"

#include "cfi_entry.h"

namespace stack9::unwind {

namespace {

// In .eh_frame the identification is a distance back to the CIE, always of four
// bytes; in .debug_frame it is an offset in the section.
void
identify(const cfi_section &s, bool dwarf64, std::size_t id_offset,
    entry &e) noexcept
{
	const bool wide = dwarf64 && s.debug_frame;
	const std::uint64_t id = wide ? e.rest.fixed<std::uint64_t>() :
	    e.rest.fixed<std::uint32_t>();
	const std::uint64_t id_of_cie = !s.debug_frame ? 0 :
	    wide ? ~std::uint64_t{0} : ~std::uint32_t{0};

	if (!e.rest.ok())
		return;
	e.what = id == id_of_cie ? entry::is_cie : entry::is_fde;
	e.cie_offset = s.debug_frame ? id : id_offset - id;
}

// Reads the letters after z, and their data.  An unknown letter hides the data
// of the letters after it, so reading cannot go on.
bool
read_augmentation(const cfi_section &s, cursor &c, cursor letters, cie &to)
    noexcept
{
	cursor data = c.part(c.uleb());

	for (;;)
		switch (letters.fixed<char>()) {
		case '\0':
			return data.ok();
		case 'R':
			to.encoding = data.fixed<std::uint8_t>();
			break;
		case 'P':
			if (const auto e = data.fixed<std::uint8_t>();
			    e == encoding::aligned) {
				data.align(s.word);
				data.skip(s.word);
			} else if (e != encoding::omitted)
				data.formatted(encoding_in(s, e));
			break;
		case 'L':
			data.skip(1);
			break;
		case 'S':
			to.signal_frame = true;
			break;
		case 'B':	// return addresses signed with key B
		case 'G':	// memory tagged frames
			break;
		default:
			return false;
		}
}

// Skips the augmentation.  It has far fewer than 16 letters in every known
// format.
cursor
read_letters(cursor &c) noexcept
{
	const cursor start = c;

	for (int n = 0; c.fixed<char>() != '\0'; n++)
		if (n == 16)
			c.fail();
	return start;
}

// Reads what DWARF 4 adds: the size of an address and of a segment selector.
bool
read_sizes(cursor &c, cie &to) noexcept
{
	const auto address = c.fixed<std::uint8_t>();
	const auto segment = c.fixed<std::uint8_t>();

	to.encoding = address == 4 ? encoding::udata4 : encoding::udata8;
	return segment == 0 && (address == 4 || address == 8);
}

} // namespace

entry
read_entry(const cfi_section &s, std::size_t offset) noexcept
{
	entry e;
	cursor c(s, offset);
	std::uint64_t length = c.fixed<std::uint32_t>();
	const bool dwarf64 = length == ~std::uint32_t{0};

	if (c.ok() && length == 0)
		e.what = entry::terminator;
	if (dwarf64)
		length = c.fixed<std::uint64_t>();
	const std::size_t id_offset = s.bytes.size() - c.left();
	e.rest = c.part(length);
	e.next = id_offset + length;
	if (e.rest.ok() && length != 0)
		identify(s, dwarf64, id_offset, e);
	return e;
}

bool
read_cie(const cfi_section &s, std::size_t offset, cie &to) noexcept
{
	entry e = read_entry(s, offset);
	cursor &c = e.rest;

	if (e.what != entry::is_cie)
		return false;
	const auto version = c.fixed<std::uint8_t>();
	if (version != 1 && version != 3 && version != 4)
		return false;
	cursor letters = read_letters(c);
	if (!c.ok() || (version == 4 && !read_sizes(c, to)))
		return false;
	char first = letters.fixed<char>();
	if (first == 'e' && letters.fixed<char>() == 'h') {	// gcc before 3
		c.skip(s.word);
		first = letters.fixed<char>();
	}
	to.code_factor = c.uleb();
	to.data_factor = c.sleb();
	const std::uint64_t column =
	    version == 1 ? c.fixed<std::uint8_t>() : c.uleb();
	to.return_column = static_cast<int>(column);
	to.sized = first == 'z';
	if (to.sized ? !read_augmentation(s, c, letters, to) : first != '\0')
		return false;
	to.encoding = encoding_in(s, to.encoding);
	to.program = c;
	return c.ok() && column < s.columns;
}

bool
read_fde(const cfi_section &s, const entry &e, const cie &common,
    fde &to) noexcept
{
	cursor c = e.rest;

	to.begin = c.pointer(common.encoding, s);
	to.size = c.formatted(common.encoding);
	if (common.sized)
		c.skip(c.uleb());
	to.program = c;
	return c.ok();
}

found
row_of_fde(const cfi_section &s, std::size_t offset, std::uintptr_t pc,
    row &to) noexcept
{
	const entry e = read_entry(s, offset);
	cie common;
	fde function;

	if (e.what != entry::is_fde || !read_cie(s, e.cie_offset, common) ||
	    !read_fde(s, e, common, function))
		return found::malformed;
	if (!function.covers(pc))
		return found::no;
	return run_program(s, common, function, pc, to) ? found::yes :
	    found::malformed;
}

} // namespace stack9::unwind
