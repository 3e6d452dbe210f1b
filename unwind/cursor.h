// Reads unwind information by a place in a section that never leaves it.
//
// Reading past the end gives 0, and ok() is false from then on.  So a reader
// checks ok() once, after everything is read.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "row.h"

namespace stack9::unwind {

// DW_EH_PE_*: the low four bits are the format, the next three say what the
// value is relative to.
namespace encoding {
inline constexpr std::uint8_t absolute = 0x00, uleb = 0x01, udata2 = 0x02,
    udata4 = 0x03, udata8 = 0x04, sleb = 0x09, sdata2 = 0x0a, sdata4 = 0x0b,
    sdata8 = 0x0c, format = 0x0f, relative_pc = 0x10, relative_text = 0x20,
    relative_data = 0x30, relative_function = 0x40, aligned = 0x50,
    relative = 0x70, indirect = 0x80, omitted = 0xff;
}

// The same encoding, where words of the section have that size.
constexpr std::uint8_t
encoding_in(const cfi_section &s, std::uint8_t e) noexcept
{
	return s.word == 4 && e != encoding::omitted &&
	    (e & encoding::format) == encoding::absolute ?
	    static_cast<std::uint8_t>(e | encoding::udata4) : e;
}

class cursor {
public:
	cursor() noexcept = default;
	explicit cursor(std::span<const std::byte> bytes,
	    std::uintptr_t address = 0) noexcept
	    : at_(bytes.data()), end_(bytes.data() + bytes.size()),
	      bias_(address - reinterpret_cast<std::uintptr_t>(bytes.data()))
	{
	}
	cursor(const cfi_section &s, std::size_t from) noexcept
	    : cursor(s.bytes, s.address)
	{
		skip(from);
	}

	bool ok() const noexcept { return end_ != nullptr; }
	std::size_t
	left() const noexcept
	{
		return static_cast<std::size_t>(end_ - at_);
	}
	// The address of the next byte where the code runs.
	std::uintptr_t
	address() const noexcept
	{
		return reinterpret_cast<std::uintptr_t>(at_) + bias_;
	}

	template <typename T>
	T
	fixed() noexcept
	{
		T value{};
		if (left() < sizeof value) [[unlikely]]
			return fail(), T{};
		std::memcpy(&value, at_, sizeof value);
		at_ += sizeof value;
		return value;
	}

	std::uint64_t
	uleb() noexcept
	{
		const auto first = fixed<std::uint8_t>();
		if (first < 0x80) [[likely]]
			return first;
		cursor c = *this;
		const std::uint64_t value = c.long_uleb(first);
		*this = c;
		return value;
	}

	std::int64_t
	sleb() noexcept
	{
		const auto first = fixed<std::uint8_t>();
		if (first < 0x80) [[likely]]
			return std::int64_t{first} - (first << 1 & 0x80);
		cursor c = *this;
		const std::int64_t value = c.long_sleb(first);
		*this = c;
		return value;
	}

	std::span<const std::byte>
	block(std::uint64_t size) noexcept
	{
		const std::byte *const at = at_;
		if (size > left()) [[unlikely]]
			return fail(), std::span<const std::byte>{};
		at_ += size;
		return {at, static_cast<std::size_t>(size)};
	}

	void skip(std::uint64_t size) noexcept { block(size); }

	// Makes a cursor for the next size bytes, and skips them.
	cursor
	part(std::uint64_t size) noexcept
	{
		const std::uintptr_t address_of_part = address();
		return cursor(block(size), address_of_part);
	}

	// A value in a format of encoding's, relative to nothing.
	std::uintptr_t
	formatted(std::uint8_t encoding) noexcept
	{
		if ((encoding & encoding::format) == encoding::sdata4)
			return static_cast<std::uintptr_t>(std::intptr_t{
			    fixed<std::int32_t>()});
		cursor c = *this;
		const std::uintptr_t value = c.other_format(encoding);
		*this = c;
		return value;
	}

	// An encoded pointer of the section's.  An indirect one fails: what it
	// points to may be anywhere.
	std::uintptr_t
	pointer(std::uint8_t encoding, const cfi_section &section,
	    std::uintptr_t function = 0) noexcept
	{
		const std::uintptr_t here = address();
		if (encoding == (encoding::relative_pc | encoding::sdata4))
			return here + formatted(encoding);
		if (encoding == encoding::udata4)
			return fixed<std::uint32_t>();
		cursor c = *this;
		const std::uintptr_t value = c.other_pointer(encoding, section,
		    function);
		*this = c;
		return value;
	}

	void align(std::size_t to) noexcept;

	void
	fail() noexcept
	{
		at_ = end_ = nullptr;
	}

private:
	// These take this one's address: called for a copy, so that this one
	// may be in registers.
	std::uintptr_t other_format(std::uint8_t encoding) noexcept;
	std::uintptr_t other_pointer(std::uint8_t encoding,
	    const cfi_section &, std::uintptr_t function) noexcept;
	std::uint64_t long_uleb(std::uint8_t first) noexcept;
	std::int64_t long_sleb(std::uint8_t first) noexcept;

	const std::byte	*at_ = nullptr;
	const std::byte	*end_ = nullptr;	// once it has failed, too
	std::uintptr_t	bias_ = 0;
};

} // namespace stack9::unwind
