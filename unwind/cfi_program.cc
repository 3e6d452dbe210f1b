// Runs the program of a CIE and an FDE: DW_CFA_* instructions change a row and
// a location until the location is past the pc.
//
// A state is never saved.  At DW_CFA_remember_state the program is read on to
// the instruction that would restore the state.  If the pc is after that
// instruction, everything in between has no effect and is skipped; if not, the
// state will not be restored.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <array>

#include "cfi_machine.h"

namespace stack9::unwind {

using namespace cfa;

namespace {

// The operands of the instructions that do not change the location.
enum operands : std::uint8_t {
	unknown = 0, none, number, number_number, block, number_block,
};

constexpr std::array<operands, 64> operands_of = [] {
	std::array<operands, 64> of{};

	for (auto o : {nop, remember_state, restore_state,
	    aarch64_negate_ra_state, aarch64_negate_ra_state_with_pc})
		of[o] = none;
	for (auto o : {restore_extended, undefined, same_value,
	    def_cfa_register, def_cfa_offset, def_cfa_offset_sf,
	    gnu_args_size})
		of[o] = number;
	for (auto o : {offset_extended, offset_extended_sf, in_register,
	    def_cfa, def_cfa_sf, val_offset, val_offset_sf,
	    gnu_negative_offset_extended})
		of[o] = number_number;
	for (auto o : {expression, val_expression})
		of[o] = number_block;
	of[def_cfa_expression] = block;
	return of;
}();

// The most states that may be remembered and not restored at the pc.  Each of
// them costs a reading of the instructions after it, and all of these readings
// together may take some times the program's length.  Compilers remember one
// state at a time.
constexpr int depth_max = 32;
constexpr std::uint64_t passed_least = 4096, passed_times = 4;

// The longest program that is read at all.  tables.h has less patience.
constexpr std::size_t program_max = 4 << 20;

void
ignore(std::uint8_t what, cursor &c) noexcept
{
	const operands o = what < operands_of.size() ? operands_of[what] :
	    none;

	if (o == unknown)
		c.fail();
	if (o == number || o == number_number || o == number_block ||
	    (what & high_bits) == offset)
		c.uleb();
	if (o == number_number)
		c.uleb();
	if (o == block || o == number_block)
		c.skip(c.uleb());
}

} // namespace

// At a remembered state: goes to the instruction that restores it, unless the
// pc is before that instruction.
bool
cfi_machine::pass(cursor &program) noexcept
{
	const std::uintptr_t from = location_;
	cursor c = program;

	for (int open = 1; c.left() != 0 && location_ <= pc_;) {
		const auto what = c.fixed<std::uint8_t>();
		if ((what & high_bits) == advance_loc)
			advance(what & low_bits);
		else if (what == remember_state)
			open++;
		else if (what == restore_state && --open == 0) {
			program = c;
			return true;
		} else if (what == def_cfa_offset)
			c.uleb();
		else if (cursor copy = c; true) {
			if (!move(what, copy))
				ignore(what, copy);
			c = copy;
		}
	}
	location_ = from;
	passed_ += program.left() - c.left();
	return c.ok() && ++depth_ <= depth_max && passed_ <= passed_least +
	    passed_times * function_.program.left();
}

bool
cfi_machine::put_back(std::uint64_t column) noexcept
{
	if (initial_)
		return false;
	if (!first_) {
		begin_row(first_.emplace(), section_);
		cfi_machine m(section_, common_, function_, pc_, *first_);
		if (!m.run(common_.program, true))
			return false;
	}
	if (column < section_.columns)
		row_.places[column] = first_->places[column];
	return true;
}

// The common instructions are executed here, with everything in registers.
// This is possible because the other instructions get a copy of the cursor.
bool
cfi_machine::run(cursor c, bool initial) noexcept
{
	const std::uintptr_t pc = pc_;
	const std::uint64_t code_factor = common_.code_factor;
	std::uintptr_t location = function_.begin;

	initial_ = initial;
	while (c.left() != 0 && location <= pc) {
		const auto what = c.fixed<std::uint8_t>();
		if ((what & high_bits) == advance_loc)
			location += (what & low_bits) * code_factor;
		else if ((what & high_bits) == offset)
			set(what & low_bits, {place::offset, 0,
			    factored(c.uleb())});
		else if (what == def_cfa_offset && row_.cfa_register >= 0)
			row_.cfa_offset = static_cast<std::int64_t>(c.uleb());
		else if (what == advance_loc1)
			location += c.fixed<std::uint8_t>() * code_factor;
		else if (what == def_cfa) {
			const std::uint64_t base = c.uleb();
			if (!set_cfa(base,
			    static_cast<std::int64_t>(c.uleb())))
				return false;
		} else if (what != nop) {
			cursor copy = c;
			location_ = location;
			if (!apply(what, copy))
				return false;
			location = location_;
			c = copy;
		}
	}
	return c.ok();
}

bool
run_program(const cfi_section &s, const cie &common, const fde &function,
    std::uintptr_t pc, row &to) noexcept
{
	if (common.program.left() > program_max ||
	    function.program.left() > program_max)
		return false;
	begin_row(to, s);
	to.return_column = common.return_column;
	to.signal_frame = common.signal_frame;
	to.begin = function.begin;
	to.end = function.begin + function.size;
	cfi_machine m(s, common, function, pc, to);
	return m.run(common.program, true) && m.run(function.program, false);
}

} // namespace stack9::unwind
