// Makes sections of call frame information by hand.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "cfi_section.h"

#include <stdexcept>

namespace made {

bytes &
bytes::uleb(std::uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		push_back(static_cast<std::uint8_t>(value | 0x80));
	push_back(static_cast<std::uint8_t>(value));
	return *this;
}

bytes &
bytes::sleb(std::int64_t value)
{
	for (; value < -64 || value >= 64; value >>= 7)
		push_back(static_cast<std::uint8_t>(value | 0x80));
	push_back(static_cast<std::uint8_t>(value & 0x7f));
	return *this;
}

bytes &
bytes::formatted(std::uint8_t encoding, std::uint64_t value)
{
	switch (encoding & 0x0f) {
	case 0x01:
		return uleb(value);
	case 0x09:
		return sleb(static_cast<std::int64_t>(value));
	case 0x02:
	case 0x0a:
		return number(static_cast<std::uint16_t>(value));
	case 0x03:
	case 0x0b:
		return number(static_cast<std::uint32_t>(value));
	}
	return number(value);
}

std::size_t
section::begin_entry()
{
	if (wide_)
		all.number<std::uint32_t>(0xffffffff).number<std::uint64_t>(0);
	else
		all.number<std::uint32_t>(0);
	return all.size();
}

void
section::end_entry(std::size_t begin)
{
	const std::uint64_t size = all.size() - begin;
	const std::size_t width = wide_ ? 8 : 4;
	std::memcpy(&all[begin - width], &size, width);
}

std::size_t
section::add(const cie &c)
{
	const std::size_t offset = all.size(), begin = begin_entry();
	const std::uint64_t id = debug_frame_ ? ~std::uint64_t{0} : 0;

	all.formatted(wide_ && debug_frame_ ? 0x04 : 0x03, id);
	all.push_back(static_cast<std::uint8_t>(c.version));
	for (const char letter : c.letters)
		all.push_back(static_cast<std::uint8_t>(letter));
	all.push_back(0);
	if (c.version == 4)
		all.add(bytes{8, 0});
	if (c.letters.starts_with("eh"))
		all.number<std::uint64_t>(0x4711);
	all.add(c.code_factor).sleb(c.data_factor).uleb(c.return_column);
	sized_ = c.letters.find('z') != c.letters.npos;
	if (sized_)
		all.uleb(c.augmentation.size()).add(c.augmentation);
	all.add(c.program);
	end_entry(begin);
	return offset;
}

void
section::pointer(std::uint8_t encoding, std::uintptr_t to)
{
	std::uintptr_t base = 0;

	switch (encoding & 0x70) {
	case 0x10:
		base = address + all.size();
		break;
	case 0x20:
		base = text;
		break;
	case 0x30:
		base = data;
		break;
	case 0x50:
		while (all.size() % 8 != 0)
			all.push_back(0);
	}
	all.formatted(encoding, to - base);
}

std::size_t
section::add(std::size_t cie_offset, const bytes &program,
    std::uint8_t encoding, std::uintptr_t begin_address, std::uintptr_t size)
{
	const std::size_t offset = all.size(), begin = begin_entry();

	if (debug_frame_)
		all.formatted(wide_ ? 0x04 : 0x03, cie_offset);
	else
		all.number(static_cast<std::uint32_t>(begin - cie_offset));
	pointer(encoding, begin_address);
	all.formatted(encoding, size);
	if (sized_)
		all.uleb(0);
	all.add(program);
	end_entry(begin);
	return offset;
}

u::cfi_section
section::view() const
{
	return {std::as_bytes(std::span(all)), address, debug_frame_, text,
	    data};
}

section
simple(const bytes &program, const cie &c)
{
	section s;
	const std::size_t at = s.add(c);
	s.add(at, program);
	s.end();
	return s;
}

u::found
row_at(const section &s, std::uintptr_t offset, u::row &r)
{
	return u::row_by_search(s.view(), function + offset, r);
}

u::row
row_of(const bytes &program, std::uintptr_t offset, const cie &c)
{
	// Rows point into their sections, so these stay.
	static std::vector<section> kept;
	u::row r;

	kept.push_back(simple(program, c));
	if (row_at(kept.back(), offset, r) != u::found::yes)
		throw std::runtime_error("no row");
	return r;
}

const u::place &
place_of(const u::row &r, int number)
{
	return r.places.at(static_cast<std::size_t>(number));
}

} // namespace made
