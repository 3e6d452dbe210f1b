// Applies each instruction of call frame information to a row.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "cfi_machine.h"

namespace stack9::unwind {

using namespace cfa;

namespace {

place
place_by(place::how how, std::span<const std::byte> bytes) noexcept
{
	return {how, static_cast<std::uint32_t>(bytes.size()),
	    reinterpret_cast<std::intptr_t>(bytes.data())};
}

} // namespace

// Clears one byte of each place.  This costs a third of clearing them all.
void
begin_row(row &r, const cfi_section &s) noexcept
{
	r.cfa_register = -1;
	r.cfa_offset = 0;
	r.cfa_expression = {};
	for (std::size_t n = 0; n < s.columns; n++)
		r.places[n].what = place::unspecified;
}

// Executes an instruction that changes the location.  False: it is another one.
bool
cfi_machine::move(std::uint8_t what, cursor &c) noexcept
{
	switch (what) {
	case advance_loc1:
		return advance(c.fixed<std::uint8_t>()), true;
	case advance_loc2:
		return advance(c.fixed<std::uint16_t>()), true;
	case advance_loc4:
		return advance(c.fixed<std::uint32_t>()), true;
	case mips_advance_loc8:
		return advance(c.fixed<std::uint64_t>()), true;
	case set_loc:
		location_ = c.pointer(common_.encoding, section_,
		    function_.begin);
		return true;
	}
	if ((what & high_bits) != advance_loc)
		return false;
	advance(what & low_bits);
	return true;
}

bool
cfi_machine::define_cfa(std::uint8_t what, cursor &c) noexcept
{
	switch (what) {
	case def_cfa_sf: {
		const std::uint64_t base = c.uleb();
		return set_cfa(base, factored(c.sleb()));
	}
	case def_cfa_register:
		// This is legal after an expression, too: authors of assembly
		// code mean the offset before the expression.
		return set_cfa(c.uleb(), row_.cfa_offset);
	case def_cfa_offset:
		return set_cfa_offset(static_cast<std::int64_t>(c.uleb()));
	case def_cfa_offset_sf:
		return set_cfa_offset(factored(c.sleb()));
	}
	row_.cfa_register = -1;
	row_.cfa_expression = c.block(c.uleb());
	return true;
}

bool
cfi_machine::define_place(std::uint8_t what, cursor &c) noexcept
{
	const std::uint64_t column = c.uleb();

	switch (what) {
	case offset_extended:
		set(column, {place::offset, 0, factored(c.uleb())});
		return true;
	case offset_extended_sf:
		set(column, {place::offset, 0, factored(c.sleb())});
		return true;
	case gnu_negative_offset_extended:
		set(column, {place::offset, 0, factored(0 - c.uleb())});
		return true;
	case val_offset:
		set(column, {place::value_offset, 0, factored(c.uleb())});
		return true;
	case val_offset_sf:
		set(column, {place::value_offset, 0, factored(c.sleb())});
		return true;
	case in_register:
		set(column, {place::in_register, 0,
		    static_cast<std::int64_t>(c.uleb())});
		return true;
	case undefined:
		set(column, {place::undefined, 0, 0});
		return true;
	case same_value:
		set(column, {place::same, 0, 0});
		return true;
	case expression:
		set(column, place_by(place::expression, c.block(c.uleb())));
		return true;
	case val_expression:
		set(column, place_by(place::value_expression,
		    c.block(c.uleb())));
		return true;
	case restore_extended:
		return put_back(column);
	}
	return false;
}

// Executes the instructions that run() does not execute itself.
bool
cfi_machine::apply(std::uint8_t what, cursor &c) noexcept
{
	if ((what & high_bits) == restore)
		return put_back(what & low_bits);
	switch (what) {
	case aarch64_negate_ra_state:	// strip() takes either
	case aarch64_negate_ra_state_with_pc:
		return true;
	case gnu_args_size:	// for exception handlers only
		return c.uleb(), true;
	case remember_state:
		return pass(c);
	case restore_state:	// unpaired: pass() skips its own
		return false;
	case def_cfa_sf:
	case def_cfa_register:
	case def_cfa_offset:
	case def_cfa_offset_sf:
	case def_cfa_expression:
		return define_cfa(what, c);
	}
	return move(what, c) || define_place(what, c);
}

} // namespace stack9::unwind
