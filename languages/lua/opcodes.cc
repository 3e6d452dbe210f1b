// Has the numbers of opcodes.  They differ between releases (lopcodes.h).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "opcodes.h"

#include <iterator>

namespace stack9::languages::lua {
namespace {

// A range of opcodes with the same meaning; the first that has it counts.
struct meaning {
	std::uint8_t	first, last;
	op		what;
	const char	*event;
};

constexpr meaning meanings_5_3[] = {
	{0, 0, op::move, nullptr}, {1, 1, op::load_constant, nullptr},
	{4, 4, op::load_nil, nullptr}, {5, 5, op::get_upvalue, nullptr},
	{6, 6, op::get_of_upvalue, "__index"},
	{7, 7, op::get_of_register, "__index"},
	{8, 8, op::other, "__newindex"}, {10, 10, op::other, "__newindex"},
	{12, 12, op::self, "__index"}, {13, 13, op::other, "__add"},
	{14, 14, op::other, "__sub"}, {15, 15, op::other, "__mul"},
	{16, 16, op::other, "__mod"}, {17, 17, op::other, "__pow"},
	{18, 18, op::other, "__div"}, {19, 19, op::other, "__idiv"},
	{20, 20, op::other, "__band"}, {21, 21, op::other, "__bor"},
	{22, 22, op::other, "__bxor"}, {23, 23, op::other, "__shl"},
	{24, 24, op::other, "__shr"}, {25, 25, op::other, "__unm"},
	{26, 26, op::other, "__bnot"}, {28, 28, op::other, "__len"},
	{29, 29, op::other, "__concat"}, {30, 30, op::jump, nullptr},
	{31, 31, op::other, "__eq"}, {32, 32, op::other, "__lt"},
	{33, 33, op::other, "__le"}, {36, 37, op::call, nullptr},
	{41, 41, op::call_iterator, nullptr},
};
// Bits of the opcodes that do not set their register a.
constexpr std::uint64_t without_a_5_3 = 1ull << 8 | 1ull << 9 | 1ull << 10 |
    1ull << 30 | 1ull << 31 | 1ull << 32 | 1ull << 33 | 1ull << 34 |
    1ull << 38 | 1ull << 41 | 1ull << 43 | 1ull << 46;

constexpr meaning meanings_5_4[] = {
	{0, 0, op::move, nullptr}, {3, 3, op::load_constant, nullptr},
	{8, 8, op::load_nil, nullptr}, {9, 9, op::get_upvalue, nullptr},
	{11, 11, op::get_of_upvalue, "index"},
	{12, 12, op::get_of_register, "index"},
	{13, 13, op::get_number, "index"}, {14, 14, op::get_field, "index"},
	{15, 18, op::other, "newindex"}, {20, 20, op::self, "index"},
	{49, 49, op::other, "unm"}, {50, 50, op::other, "bnot"},
	{52, 52, op::other, "len"}, {53, 53, op::other, "concat"},
	{54, 54, op::other, "close"}, {56, 56, op::jump, nullptr},
	{57, 57, op::other, "eq"}, {58, 58, op::other, "lt"},
	{59, 59, op::other, "le"}, {62, 62, op::other, "lt"},
	{63, 63, op::other, "le"}, {64, 64, op::other, "lt"},
	{65, 65, op::other, "le"}, {68, 69, op::call, nullptr},
	{70, 70, op::other, "close"}, {76, 76, op::call_iterator, nullptr},
};
constexpr std::uint8_t fallback_first = 46, fallback_last = 48;

// Of 5.4, whose opcodes have two words of bits.
constexpr bool
sets_a_5_4(std::uint32_t o) noexcept
{
	return !(o == 10 || (o >= 15 && o <= 18) || (o >= 46 && o <= 48) ||
	    (o >= 54 && o <= 66) || (o >= 70 && o <= 72) || o == 75 ||
	    o == 76 || o == 78 || o == 82);
}

// The events of the opcodes for fallbacks, by their number.
constexpr const char *events[] = {"index", "newindex", "gc", "mode", "len",
    "eq", "add", "sub", "mul", "mod", "pow", "div", "idiv", "band", "bor",
    "bxor", "shl", "shr", "unm", "bnot", "lt", "le", "concat", "call",
    "close"};

template <std::size_t N>
void
find_meaning(const meaning (&all)[N], std::uint32_t o, instruction &to)
    noexcept
{
	for (const meaning &m : all)
		if (o >= m.first && o <= m.last) {
			to.what = m.what;
			to.event = m.event;
			return;
		}
}

instruction
decode_5_3(std::uint32_t w) noexcept
{
	constexpr std::uint32_t constant = 256;
	instruction to;
	const std::uint32_t o = w & 0x3f;
	find_meaning(meanings_5_3, o, to);
	to.sets_a = (without_a_5_3 >> o & 1) == 0;
	to.a = w >> 6 & 0xff;
	to.b = w >> 23;
	to.c = w >> 14 & 0x1ff;
	to.by = static_cast<std::int32_t>(w >> 14) - 0x1ffff;
	if (to.what == op::load_constant)
		to.b = w >> 14;
	to.is_constant = (to.c & constant) != 0;
	to.c &= constant - 1;
	return to;
}

instruction
decode_5_4(std::uint32_t w) noexcept
{
	instruction to;
	const std::uint32_t o = w & 0x7f;
	find_meaning(meanings_5_4, o, to);
	to.sets_a = sets_a_5_4(o);
	to.a = w >> 7 & 0xff;
	to.b = w >> 16 & 0xff;
	to.c = w >> 24;
	to.by = static_cast<std::int32_t>(w >> 7) - 0xffffff;
	if (to.what == op::load_constant)
		to.b = w >> 15;
	// A method's name is a constant if bit k is set; a field's always is.
	to.is_constant = to.what == op::self ? (w >> 15 & 1) != 0 :
	    to.what == op::get_of_upvalue || to.what == op::get_field;
	to.is_fallback = o >= fallback_first && o <= fallback_last;
	if (to.is_fallback && to.c < std::size(events))
		to.event = events[to.c];
	return to;
}

} // namespace

instruction
decode(unsigned int minor, std::uint32_t word) noexcept
{
	return minor == 3 ? decode_5_3(word) : decode_5_4(word);
}

} // namespace stack9::languages::lua
