// Declares the machine that runs programs of call frame information.  Its state
// is a row and a location.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>

#include "cfi_entry.h"

namespace stack9::unwind {

// DW_CFA_*
namespace cfa {
enum op : std::uint8_t {
	nop = 0x00, set_loc, advance_loc1, advance_loc2, advance_loc4,
	offset_extended, restore_extended, undefined, same_value, in_register,
	remember_state, restore_state, def_cfa, def_cfa_register,
	def_cfa_offset, def_cfa_expression, expression, offset_extended_sf,
	def_cfa_sf, def_cfa_offset_sf, val_offset, val_offset_sf,
	val_expression,
	mips_advance_loc8 = 0x1d,
	aarch64_negate_ra_state_with_pc = 0x2c,
	aarch64_negate_ra_state = 0x2d,
	gnu_args_size = 0x2e, gnu_negative_offset_extended = 0x2f,
	// These have an operand in their low six bits.
	advance_loc = 0x40, offset = 0x80, restore = 0xc0,
	high_bits = 0xc0, low_bits = 0x3f,
};
}

struct function_rules;

class cfi_machine {
public:
	cfi_machine(const cfi_section &s, const cie &c, const fde &f,
	    std::uintptr_t pc, row &r) noexcept
	    : section_(s), common_(c), function_(f), pc_(pc), row_(r)
	{
	}

	bool run(cursor program, bool initial) noexcept;
	// Runs to the end, and adds a rule for each location.  run() has run
	// the CIE's program before.  Throws std::bad_alloc.
	bool run_through(cursor program, function_rules &);

private:
	[[gnu::noinline]] bool apply(std::uint8_t what, cursor &) noexcept;
	bool define_cfa(std::uint8_t what, cursor &) noexcept;
	bool define_place(std::uint8_t what, cursor &) noexcept;
	bool move(std::uint8_t what, cursor &) noexcept;
	bool pass(cursor &) noexcept;
	bool put_back(std::uint64_t column) noexcept;

	void
	advance(std::uint64_t units) noexcept
	{
		location_ += units * common_.code_factor;
	}

	void
	set(std::uint64_t column, const place &p) noexcept
	{
		if (column < section_.columns)	// not a vector's
			row_.places[column] = p;
	}

	bool
	set_cfa(std::uint64_t base, std::int64_t distance) noexcept
	{
		row_.cfa_register = static_cast<int>(base & 0xffff);
		row_.cfa_offset = distance;
		return base <= 0xffff;
	}

	bool
	set_cfa_offset(std::int64_t distance) noexcept
	{
		row_.cfa_offset = distance;
		return row_.cfa_register >= 0;
	}

	// Damaged information may make the product too large; it then wraps.
	template <typename T>
	std::int64_t
	factored(T n) const noexcept
	{
		return static_cast<std::int64_t>(
		    static_cast<std::uint64_t>(n) *
		    static_cast<std::uint64_t>(common_.data_factor));
	}

	const cfi_section &section_;
	const cie	&common_;
	const fde	&function_;
	const std::uintptr_t pc_;
	row		&row_;
	std::uintptr_t	location_ = 0;
	bool		initial_ = false;
	int		depth_ = 0;
	std::uint64_t	passed_ = 0;	// bytes
	std::optional<row> first_;	// the CIE's row, made on demand
};

void begin_row(row &, const cfi_section &) noexcept;

} // namespace stack9::unwind
