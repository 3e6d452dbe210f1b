// Recognises the few x86-64 instructions by which Go changes rsp and rbp.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "go_code.h"

#include <cstring>

namespace stack9::languages {

bool
go_code::has(std::size_t at, std::initializer_list<std::uint8_t> what)
    const noexcept
{
	return size_ - at >= what.size() &&
	    std::equal(what.begin(), what.end(), code_ + at);
}

// The instructions that write rsp load it, move to it, or align it.
bool
go_code::writes_sp() const noexcept
{
	for (std::size_t i = 0; i + 3 <= size_; i++) {
		const unsigned int rex = code_[i], op = code_[i + 1],
		    operands = code_[i + 2];
		const bool load = op == 0x8b && (operands & 0x38) == 0x20 &&
		    (rex & 0xfc) == 0x48;
		const bool move = op == 0x89 && (operands & 0xc7) == 0xc4 &&
		    (rex & 0xfb) == 0x48;
		const bool align = op == 0x83 && operands == 0xe4 &&
		    rex == 0x48;
		if (load || move || align)
			return true;
	}
	return false;
}

bool
go_code::stores_rdi(std::size_t at, std::int32_t above) const noexcept
{
	return above == 0 ? has(at, {0x48, 0x89, 0x3c, 0x24}) :
	    has(at, {0x48, 0x89, 0x7c, 0x24,
	    static_cast<std::uint8_t>(above)});
}

// The code stores rdi above the place and later, with another value, there.
bool
go_code::notes_depth(std::int32_t above) const noexcept
{
	int noted = 0;
	for (std::size_t i = 0; i < size_ && noted < 2; i++)
		noted += stores_rdi(i, noted == 0 ? above + go_word : above);
	return noted == 2;
}

// The save is mov %rbp,above(%rsp), and since Go 1.21 push %rbp.
bool
go_code::save_ends(std::size_t at, std::size_t &end, std::int32_t &above)
    const noexcept
{
	above = 0;
	if (has(at, {0x55})) {
		end = at + 1;
		return true;
	}
	if (has(at, {0x48, 0x89, 0x6c, 0x24}) && size_ - at >= 5) {
		above = static_cast<std::int8_t>(code_[at + 4]);
		end = at + 5;
		return true;
	}
	if (has(at, {0x48, 0x89, 0xac, 0x24}) && size_ - at >= 8) {
		std::memcpy(&above, code_ + at + 4, sizeof above);
		end = at + 8;
		return true;
	}
	return false;
}

// An instruction that has the form of a save counts only if it writes to the
// right place.
std::int32_t
go_code::saves_fp() const noexcept
{
	constexpr std::size_t prologue = 64;
	std::size_t end;
	std::int32_t above, frame;
	for (std::size_t i = 0; i < std::min(size_, prologue); i++)
		if (save_ends(i, end, above) && table_.frame(function_,
		    function_.begin + end, frame) && frame == above + go_word)
			return frame;
	return 0;
}

bool
go_behind_call(const go_table &t, std::uint64_t last) noexcept
{
	std::uint8_t code[5];
	return t.code(last - 4, code, sizeof code) == sizeof code &&
	    (code[0] == 0xe8 || (code[3] == 0xff && (code[4] & 0xf8) == 0xd0));
}

bool
go_pops(const go_table &t, std::uint64_t vaddr, int (&registers)[16],
    int &count) noexcept
{
	constexpr std::uint8_t pop = 0x58, rex_b = 0x41, ret = 0xc3, sp = 4;
	constexpr int dwarf[] = {0, 2, 1, 3, 7, 6, 4, 5};	// by x86's
	std::uint8_t code[32];
	const std::size_t size = t.code(vaddr, code, sizeof code);
	count = 0;
	for (std::size_t i = 0; i + 1 < size && count < 16; i++) {
		const bool high = code[i] == rex_b;
		if (code[i] == ret)
			return true;
		i += high;
		const unsigned int number = code[i] - pop;
		if (number > 7 || (number == sp && !high))
			return false;
		registers[count++] = high ? static_cast<int>(number) + 8 :
		    dwarf[number];
	}
	return false;
}

} // namespace stack9::languages
