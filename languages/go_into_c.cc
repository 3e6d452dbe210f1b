// Leads from the stack of the thread, on which Go calls C, to the goroutine's.
//
// runtime.asmcgocall() notes two words there before its call: how far its sp
// was from the end of the goroutine's stack, and above it the goroutine, whose
// second word is that end.  Without a goroutine the first word is its sp
// itself.  They are at the top of the stack, and 40 bytes up in older releases.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "go_stacks.h"

#include <array>

#include <dwarf.h>

namespace stack9::languages {
namespace {

constexpr std::size_t c_length = 23;
using c_expression = std::array<std::uint8_t, c_length>;

constexpr c_expression
c_by_place(std::uint8_t depth, std::uint8_t size) noexcept
{
	const auto goroutine = static_cast<std::uint8_t>(depth + go_word);
	return {
		DW_OP_breg7, goroutine, DW_OP_deref, DW_OP_dup,
		DW_OP_bra, 7, 0,
			DW_OP_drop, DW_OP_breg7, depth, DW_OP_deref,
		DW_OP_skip, 7, 0,
			DW_OP_plus_uconst, 8, DW_OP_deref,
			DW_OP_breg7, depth, DW_OP_deref, DW_OP_minus,
		DW_OP_plus_uconst, static_cast<std::uint8_t>(size + go_word),
	};
}

// rbp has been saved above that sp since Go 1.21.
constexpr std::int32_t c_depths[] = {0, 40}, c_sizes[] = {0, go_word};

constexpr c_expression c_expressions[][2] = {
	{c_by_place(0, 0), c_by_place(0, go_word)},
	{c_by_place(40, 0), c_by_place(40, go_word)},
};

} // namespace

std::span<const std::byte>
go_back_from_c(const go_code &code, std::int32_t size) noexcept
{
	for (int d = 0; d < 2; d++)
		for (int s = 0; s < 2; s++)
			if (c_sizes[s] == size && code.notes_depth(c_depths[d]))
				return std::as_bytes(
				    std::span(c_expressions[d][s]));
	return {};
}

} // namespace stack9::languages
