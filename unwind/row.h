// Declares a row of unwind information: how the frame of a pc leads to its
// caller's frame.  The spans in a row point into the section it was read from.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "arch/cpu.h"

namespace stack9::unwind {

// A section of unwind information, with the address that its first byte has
// where the code runs.  For a file or another process, that is not its address
// here.
struct cfi_section {
	std::span<const std::byte>	bytes;
	std::uintptr_t			address = 0;
	bool				debug_frame = false;
	std::uintptr_t			text = 0;	// DW_EH_PE_textrel
	std::uintptr_t			data = 0;	// DW_EH_PE_datarel
	// The bytes of an address and the columns of a row, of the code's CPU.
	std::uint8_t			word = sizeof(std::uintptr_t);
	std::uint8_t			columns = register_count;
};

// The most columns of a CPU whose cores are walked here: those of aarch64.
inline constexpr int columns_max = std::max(register_count, 33);

// Says how a register of the caller is found.
struct place {
	enum how : std::uint8_t {
		unspecified,	// not mentioned: kept, by the ABI's rules
		same,		// kept
		undefined,	// lost
		offset,		// at CFA + number
		value_offset,	// is CFA + number
		in_register,	// is in register number
		expression,	// at what the expression says
		value_expression,	// is what it says
	};
	how		what;
	std::uint32_t	size;		// of an expression, whose address is
	std::int64_t	number;		// number; not all places have one

	std::span<const std::byte>
	bytes() const noexcept
	{
		return {reinterpret_cast<const std::byte *>(number), size};
	}
};

// One row.  Only row{} sets its places to unspecified: the functions that fill
// rows in do not want them cleared first.  They fill in as many places as the
// code's CPU has columns.
struct row {
	int		cfa_register = -1;	// -1: cfa_expression
	std::int64_t	cfa_offset = 0;
	std::span<const std::byte> cfa_expression;
	std::array<place, columns_max> places;
	int		return_column = 0;	// that of the return address
	bool		signal_frame = false;	// augmentation S
	bool		called = false;	// a signal_frame whose caller is on
					// another stack, but with a return
					// address as its pc
	std::uintptr_t	begin = 0, end = 0;	// the function's

	// Returns true if the caller's frame was interrupted, so that its pc is
	// not a return address.
	bool
	interrupted() const noexcept
	{
		return signal_frame && !called;
	}
};

enum class found : std::uint8_t {
	yes,
	no,		// nothing covers the pc
	malformed	// it contradicts itself
};

// Makes the rule that says the same as a row, for pc; its kind is full if no
// rule can.
rule rule_of_row(const row &, std::uintptr_t pc) noexcept;

} // namespace stack9::unwind
