// Makes sections of call frame information by hand, byte by byte.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "unwind/cfi.h"

namespace made {

namespace u = stack9::unwind;

class bytes : public std::vector<std::uint8_t> {
public:
	using vector::vector;

	template <typename T>
	bytes &
	number(T value)
	{
		std::array<std::uint8_t, sizeof value> parts;
		std::memcpy(parts.data(), &value, sizeof value);
		return add(parts);
	}

	bytes &
	add(std::span<const std::uint8_t> more)
	{
		for (const std::uint8_t byte : more)
			push_back(byte);
		return *this;
	}

	bytes &uleb(std::uint64_t);
	bytes &sleb(std::int64_t);
	// In a format of DW_EH_PE_*.
	bytes &formatted(std::uint8_t encoding, std::uint64_t value);
};

// The addresses that the section, the function and the bases of pointers would
// have: near enough for encodings of 16 bits.
inline constexpr std::uintptr_t address = 0x1000, text = 0x1800,
    data = 0x1c00, function = 0x2000, function_size = 0x100;

// The column of the return address that compilers use.
inline constexpr int column =
    u::register_count == 17 ? 16 : 30;

struct cie {
	int		version = 1;
	std::string	letters = "zR";
	bytes		augmentation = {0x1b};
	bytes		program = {0x0c, u::register_sp, 8, 0x80 + column, 1};
	bytes		code_factor = {1};	// as encoded there
	std::int64_t	data_factor = -8;
	std::uint64_t	return_column = column;
};

class section {
public:
	explicit section(bool debug_frame = false, bool wide = false)
	    : debug_frame_(debug_frame), wide_(wide) {}

	// Both answer the offset.
	std::size_t add(const cie &);
	std::size_t add(std::size_t cie_offset, const bytes &program,
	    std::uint8_t encoding = 0x1b, std::uintptr_t begin = function,
	    std::uintptr_t size = function_size);
	void end() { all.number<std::uint32_t>(0); }

	u::cfi_section view() const;

	bytes		all;

private:
	std::size_t begin_entry();
	void end_entry(std::size_t begin);
	void pointer(std::uint8_t encoding, std::uintptr_t to);

	bool		debug_frame_, wide_;
	bool		sized_ = true;
};

// One CIE and one FDE.
section simple(const bytes &program, const cie & = {});

// The row of a simple section, at function + offset.
u::found row_at(const section &, std::uintptr_t offset, u::row &);
u::row row_of(const bytes &program, std::uintptr_t offset = 0,
    const cie & = {});

const u::place &place_of(const u::row &, int number);

} // namespace made
