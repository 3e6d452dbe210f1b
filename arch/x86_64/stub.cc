// Recognises a PLT by its instructions, as lld and mold give it no unwind
// information.
//
// A stub jumps through a slot.  Until the call is bound, that leads to code
// that pushes the number of the slot, or has it in %r11, and to the PLT's
// header.  That pushes another word and jumps to the loader:
//
//	stub:	[endbr64]; [mov $n,%r11d]; jmp *slot(%rip)
//	lazy:	[endbr64]; push $n; jmp header
//	header:	[endbr64]; [push %r11]; push slot(%rip); jmp *next_slot(%rip)
//
// SPDX-License-Identifier: BSD-2-Clause
#include "stub.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>

namespace stack9::unwind {
namespace {

constexpr std::uintptr_t slot_jump = 6, push_number = 5, mov_number = 6,
    push_r11 = 2;

bool
has(memory &words, std::uintptr_t at, std::initializer_list<std::uint8_t> bytes)
    noexcept
{
	std::uint8_t code[4];
	return words.read(at, code, bytes.size()) &&
	    std::equal(bytes.begin(), bytes.end(), code);
}

bool
is_slot_jump(memory &words, std::uintptr_t at) noexcept
{
	return has(words, at, {0xff, 0x25});
}

std::uintptr_t
behind_endbr64(memory &words, std::uintptr_t at) noexcept
{
	return at + (has(words, at, {0xf3, 0x0f, 0x1e, 0xfa}) ? 4 : 0);
}

// Both instructions have the distance from their end, so it is the same less
// their size, and the second slot follows the first.
bool
is_header(memory &words, std::uintptr_t at) noexcept
{
	std::uint8_t code[2 * slot_jump];
	std::uint32_t first, second;
	if (!words.read(at, code, sizeof code) || code[0] != 0xff ||
	    code[1] != 0x35 || code[6] != 0xff || code[7] != 0x25)
		return false;
	std::memcpy(&first, code + 2, sizeof first);
	std::memcpy(&second, code + 8, sizeof second);
	return second + slot_jump == first + word_size;
}

bool
jumps_to_header(memory &words, std::uintptr_t at) noexcept
{
	std::uint8_t code[5];
	std::int32_t distance;
	at += has(words, at, {0xf2}) ? 1 : 0;	// bnd
	if (!words.read(at, code, sizeof code) || code[0] != 0xe9)
		return false;
	std::memcpy(&distance, code + 1, sizeof distance);
	return is_header(words, at + sizeof code +
	    static_cast<std::uintptr_t>(std::intptr_t{distance}));
}

} // namespace

std::uintptr_t
behind_jump(memory &words, std::uintptr_t pc) noexcept
{
	pc = behind_endbr64(words, pc);
	if (has(words, pc, {0x41, 0xbb}))
		pc += mov_number;
	return is_slot_jump(words, pc) ? pc + slot_jump : 0;
}

// A wrong call leads where nothing can be read.  The code before that place is
// then no stub that was executed.
int
pushed_by_stub(memory &words, std::uintptr_t pc) noexcept
{
	std::uint8_t byte;
	if (!words.read(pc, &byte, sizeof byte))
		return -1;
	if (is_slot_jump(words, pc))
		return is_header(words, pc - slot_jump) ? 2 : 0;
	if (has(words, pc - push_number, {0x68}) && jumps_to_header(words, pc))
		return 1;
	const std::uintptr_t at = behind_endbr64(words, pc);
	if (is_header(words, at))
		return 1;
	return behind_jump(words, pc) != 0 ||
	    (has(words, at, {0x68}) &&
	    jumps_to_header(words, at + push_number)) ||
	    (has(words, at, {0x41, 0x53}) &&
	    is_header(words, at + push_r11)) ? 0 : -1;
}

} // namespace stack9::unwind
