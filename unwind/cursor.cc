// Decodes numbers and pointers in the encodings of DWARF and of .eh_frame.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "cursor.h"

namespace stack9::unwind {

namespace {

// A number may be longer than a word needs (linkers pad them), and the bits
// that do not fit are dropped.  This limit keeps the reading of a number quick.
constexpr unsigned int shift_max = 7 * 16;

} // namespace

std::uint64_t
cursor::long_uleb(std::uint8_t first) noexcept
{
	std::uint64_t value = first & 0x7f;
	std::uint8_t byte = first;

	for (unsigned int shift = 7; byte >= 0x80 && ok(); shift += 7) {
		if (shift > shift_max)
			fail();
		byte = fixed<std::uint8_t>();
		if (shift < 64)
			value |= std::uint64_t{byte & 0x7fu} << shift;
	}
	return value;
}

std::int64_t
cursor::long_sleb(std::uint8_t first) noexcept
{
	std::uint64_t value = first & 0x7f;
	std::uint8_t byte = first;
	unsigned int shift = 7;

	for (; byte >= 0x80 && ok(); shift += 7) {
		if (shift > shift_max)
			fail();
		byte = fixed<std::uint8_t>();
		if (shift < 64)
			value |= std::uint64_t{byte & 0x7fu} << shift;
	}
	if (shift < 64 && (byte & 0x40) != 0)
		value |= ~std::uint64_t{0} << shift;
	return static_cast<std::int64_t>(value);
}

std::uintptr_t
cursor::other_format(std::uint8_t encoding) noexcept
{
	const auto extended = [](std::int64_t v) {
		return static_cast<std::uintptr_t>(v);
	};

	switch (encoding & encoding::format) {
	case encoding::absolute:
	case encoding::udata8:
	case encoding::sdata8:
		return fixed<std::uint64_t>();
	case encoding::uleb:
		return uleb();
	case encoding::udata2:
		return fixed<std::uint16_t>();
	case encoding::udata4:
		return fixed<std::uint32_t>();
	case encoding::sleb:
		return extended(sleb());
	case encoding::sdata2:
		return extended(fixed<std::int16_t>());
	case encoding::sdata4:
		return extended(fixed<std::int32_t>());
	}
	fail();
	return 0;
}

std::uintptr_t
cursor::other_pointer(std::uint8_t encoding, const cfi_section &section,
    std::uintptr_t function) noexcept
{
	std::uintptr_t base = 0;

	switch (encoding & (encoding::relative | encoding::indirect)) {
	case encoding::absolute:
		break;
	case encoding::relative_pc:
		base = address();
		break;
	case encoding::relative_text:
		base = section.text;
		break;
	case encoding::relative_data:
		base = section.data;
		break;
	case encoding::relative_function:
		base = function;
		break;
	case encoding::aligned:
		align(section.word);
		break;
	default:
		fail();
	}
	return base + formatted(encoding);
}

void
cursor::align(std::size_t to) noexcept
{
	skip(-address() % to);
}

} // namespace stack9::unwind
