// Leads from a goroutine's stack to that of the C code which called it.
//
// crosscall2() calls runtime.cgocallback(fn, frame, ctxt) on the stack of the
// thread.  That function saves rbp, lets rbp point there, goes to the
// goroutine's stack, makes a second frame of the same size with the same
// arguments, and calls runtime.cgocallbackg().  That saves rbp in its turn.  So
// rbp leads back to the stack of the thread, and the goroutine need not be
// known.  It is believed if the three arguments are above it: frame is an
// address on the stack of C.
//
// The second frame appears to be called by what the goroutine did last: it
// called C by runtime.asmcgocall(), or it was made for a thread of C and did
// nothing.  It is the way on where rbp is not known, or where the stack of the
// thread is not at hand.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "go_stacks.h"

#include <array>

#include <dwarf.h>

#include "arch/cpu.h"
#include "unwind/expression_machine.h"

#include "go_code.h"

namespace stack9::languages {
namespace {

using unwind::place;
using unwind::row;

constexpr std::uint8_t or_0 = unwind::register_or_0,
    deref_or_0 = unwind::deref_or_0;
constexpr std::uint8_t rbp = 6;		// DWARF's number
constexpr std::uint8_t behind_saved = 2 * go_word;

constexpr std::size_t call_length = 39;
using call_expression = std::array<std::uint8_t, call_length>;

// Leads to the CFA on the stack of C, or to that of the second frame.
constexpr call_expression
cfa_of(std::uint8_t size) noexcept
{
	return {
		or_0, rbp,
		DW_OP_dup, DW_OP_plus_uconst, behind_saved, deref_or_0,
		DW_OP_breg7, 0, DW_OP_deref, DW_OP_eq,
		DW_OP_over, DW_OP_plus_uconst, behind_saved + go_word,
		deref_or_0,
		DW_OP_breg7, go_word, DW_OP_deref, DW_OP_eq, DW_OP_mul,
		DW_OP_over, DW_OP_plus_uconst, behind_saved + 2 * go_word,
		deref_or_0,
		DW_OP_breg7, 2 * go_word, DW_OP_deref, DW_OP_eq, DW_OP_mul,
		DW_OP_bra, 6, 0,
			DW_OP_drop,
			DW_OP_breg7, static_cast<std::uint8_t>(size + go_word),
		DW_OP_skip, 2, 0,
			DW_OP_plus_uconst, behind_saved,
	};
}

// A release has one of these frame sizes; a number of one byte is up to 63.
constexpr std::int32_t frame_sizes = 7;

constexpr std::array<call_expression, frame_sizes> by_size = [] {
	std::array<call_expression, frame_sizes> all{};
	for (std::uint8_t i = 0; i < frame_sizes; i++)
		all[i] = cfa_of(static_cast<std::uint8_t>(i * go_word));
	return all;
}();

// Gives the pc at the CFA.  In the second frame it is the pc at which a
// goroutine that called C goes on: the first byte of a function that is never
// called.  The pc of a caller is looked up by the byte before it, so that byte
// has to be this one.
constexpr std::uint8_t pc_at[] = {
	DW_OP_dup, or_0, rbp, DW_OP_plus_uconst, behind_saved, DW_OP_ne,
	DW_OP_swap, DW_OP_lit8, DW_OP_minus, DW_OP_deref, DW_OP_plus,
};

// Gives the rbp that was saved on the stack of C.  The second frame has none:
// the division fails.
constexpr std::uint8_t fp_at[] = {
	DW_OP_dup, or_0, rbp, DW_OP_plus_uconst, behind_saved, DW_OP_eq,
	DW_OP_div, DW_OP_lit16, DW_OP_minus, DW_OP_deref,
};

template <std::size_t N>
place
value_of(const std::uint8_t (&program)[N]) noexcept
{
	return {place::value_expression, N,
	    reinterpret_cast<std::intptr_t>(program)};
}

} // namespace

void
row_of_callback(std::int32_t size, row &r) noexcept
{
	r.places[unwind::register_fp] = value_of(fp_at);
	r.places[unwind::register_pc] = value_of(pc_at);
	r.cfa_register = unwind::register_sp;
	r.cfa_offset = std::int64_t{size} + go_word;
	if (size < frame_sizes * go_word) {
		r.cfa_register = -1;
		r.cfa_expression = std::as_bytes(std::span(by_size[
		    static_cast<std::size_t>(size / go_word)]));
	}
	r.signal_frame = r.called = true;
}

} // namespace stack9::languages
