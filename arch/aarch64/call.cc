// Recognises the calls of aarch64, and what they lead to.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "unwind/call.h"

#include "described.h"

namespace stack9::unwind {
namespace {

constexpr std::uint32_t br_x17 = 0xd61f0220;
constexpr std::uint32_t stp_x16_x30_pre = 0xa9bf7bf0;
constexpr int stub_max = 5;	// instructions, without the last

// Returns true if a PLT's entries have the instruction: bti c; adrp x16, page;
// ldr x17, [x16, slot]; add x16, x16, slot; autia1716.
bool
is_of_stub(std::uint32_t code) noexcept
{
	return code == 0xd503245f || (code & 0x9f00001f) == 0x90000010 ||
	    (code & 0xffc003ff) == 0xf9400211 ||
	    (code & 0xffc003ff) == 0x91000210 || code == 0xd503219f;
}

// Skips such instructions, by distance each, and gives the first other one.
std::uint32_t
behind_stub(memory &words, std::uintptr_t at, std::uintptr_t distance) noexcept
{
	std::uint32_t code = 0;
	for (int n = 0; n <= stub_max; n++, at += distance)
		if (!words.read(at, &code, sizeof code) || !is_of_stub(code))
			break;
	return code;
}

// Gives the signed number in some bits of an instruction.
std::intptr_t
bits_of(std::uint32_t code, int from, int count) noexcept
{
	return static_cast<std::int32_t>(code << (32 - from - count)) >>
	    (32 - count);
}

// Gives what the slot of a stub holds that has adrp x16, page; ldr x17, [x16,
// slot]; 0.
std::uintptr_t
in_slot(memory &words, std::uintptr_t at) noexcept
{
	std::uint32_t code[2];
	std::uintptr_t value = 0;
	if (!words.read(at, code, sizeof code) ||
	    (code[0] & 0x9f00001f) != 0x90000010 ||
	    (code[1] & 0xffc003ff) != 0xf9400211)
		return 0;
	const std::intptr_t pages = bits_of(code[0], 5, 19) * 4 +
	    (code[0] >> 29 & 3);
	const std::uintptr_t base = (at & ~std::uintptr_t{4095}) +
	    static_cast<std::uintptr_t>(pages * 4096);
	return words.word(base + (code[1] >> 10 & 0xfff) * 8, value) ? value :
	    0;
}

} // namespace

bool
behind_call(memory &words, std::uintptr_t address) noexcept
{
	return arch::aarch64::behind_call(words, address);
}

bool
begins_stack(memory &words, std::uintptr_t address) noexcept
{
	return arch::aarch64::begins_stack(words, address);
}

std::uintptr_t
system_call_before(memory &words, std::uintptr_t address) noexcept
{
	constexpr std::uint32_t svc_0 = 0xd4000001;
	std::uint32_t code;
	const std::uintptr_t at = address - sizeof code;
	return address % sizeof code == 0 &&
	    words.read(at, &code, sizeof code) && code == svc_0 ? at : 0;
}

bool
before_call(memory &, const registers &callee, registers &caller) noexcept
{
	if (!callee.knows(register_sp) || !callee.knows(register_lr))
		return false;
	caller = callee;
	caller.set(register_pc, strip(callee.value[register_lr]));
	caller.known &= ~(std::uint64_t{1} << register_lr);
	caller.exact = false;
	return true;
}

// The first entry of a PLT has put the return address on the stack, so it does
// not count.
bool
forwards(memory &words, std::uintptr_t pc) noexcept
{
	constexpr std::uintptr_t size = sizeof(std::uint32_t);
	return pc % size == 0 && behind_stub(words, pc, size) == br_x17 &&
	    behind_stub(words, pc - size, -size) != stp_x16_x30_pre;
}

std::uintptr_t
called_function(memory &words, std::uintptr_t address) noexcept
{
	constexpr std::uint32_t bti_c = 0xd503245f;
	std::uint32_t code;
	const std::uintptr_t from = address - sizeof code;
	if (address % sizeof code != 0 ||
	    !words.read(from, &code, sizeof code) ||
	    (code & 0xfc000000) != 0x94000000)
		return 0;
	const std::uintptr_t at = from +
	    static_cast<std::uintptr_t>(bits_of(code, 0, 26) * 4);
	if (!words.read(at, &code, sizeof code) || !is_of_stub(code))
		return at;
	return in_slot(words, code == bti_c ? at + sizeof code : at);
}

} // namespace stack9::unwind
