// Recognises the calls of riscv64: jal, jalr and c.jalr that write ra.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "unwind/call.h"

namespace stack9::unwind {
namespace {

// auipc t3, page; ld t3, slot(t3); jalr t1, t3; nop.
constexpr std::uintptr_t stub_size = 16;

bool
is_stub(const std::uint32_t (&code)[3]) noexcept
{
	return (code[0] & 0xfff) == 0xe17 &&
	    (code[1] & 0xfffff) == 0xe3e03 && code[2] == 0x000e0367;
}

// Gives the number in the upper bits of an instruction.
std::intptr_t
upper(std::uint32_t code, int from) noexcept
{
	return static_cast<std::int32_t>(code) >> from;
}

std::uintptr_t
page_of(std::uintptr_t at, std::uint32_t auipc) noexcept
{
	return at + static_cast<std::uintptr_t>(upper(auipc, 12) * 4096);
}

// Gives the distance in a jal.
std::intptr_t
jump(std::uint32_t code) noexcept
{
	return (upper(code, 31) * (1 << 20)) |
	    static_cast<std::intptr_t>((code & 0xff000) |
	    (code >> 9 & 0x800) | (code >> 20 & 0x7fe));
}

// Gives what the slot of a stub holds; 0.
std::uintptr_t
in_slot(memory &words, std::uintptr_t at, const std::uint32_t (&code)[3])
    noexcept
{
	std::uintptr_t value = 0;
	return words.word(page_of(at, code[0]) +
	    static_cast<std::uintptr_t>(upper(code[1], 20)), value) ? value :
	    0;
}

} // namespace

bool
behind_call(memory &words, std::uintptr_t address) noexcept
{
	std::uint32_t code;
	std::uint16_t half;
	if (address % sizeof half != 0)
		return false;
	if (words.read(address - sizeof code, &code, sizeof code) &&
	    ((code & 0xfff) == 0x0ef || (code & 0x7fff) == 0x00e7))
		return true;
	return words.read(address - sizeof half, &half, sizeof half) &&
	    (half & 0xf07f) == 0x9002 && (half & 0x0f80) != 0;
}

// musl's clone() does not clear s0; it makes the system call exit then.
bool
begins_stack(memory &words, std::uintptr_t address) noexcept
{
	constexpr std::uint32_t li_s0_0 = 0x00000413, li_a7_exit = 0x05d00893;
	constexpr std::uint16_t c_li_s0_0 = 0x4401;
	constexpr std::size_t before = 16;
	std::uint32_t code;
	std::uint16_t halves[before];
	if (address % sizeof *halves != 0)
		return false;
	if (words.read(address, &code, sizeof code) && code == li_a7_exit)
		return true;
	if (!words.read(address - sizeof halves, halves, sizeof halves))
		return false;
	for (std::size_t n = 0; n + 1 < before; n++)
		if (halves[n] == c_li_s0_0 || (halves[n] ==
		    (li_s0_0 & 0xffff) && halves[n + 1] == li_s0_0 >> 16))
			return true;
	return false;
}

std::uintptr_t
system_call_before(memory &words, std::uintptr_t address) noexcept
{
	constexpr std::uint32_t ecall = 0x00000073;
	std::uint32_t code;
	const std::uintptr_t at = address - sizeof code;
	return address % 2 == 0 && words.read(at, &code, sizeof code) &&
	    code == ecall ? at : 0;
}

bool
before_call(memory &, const registers &callee, registers &caller) noexcept
{
	if (!callee.knows(register_sp) || !callee.knows(register_lr))
		return false;
	caller = callee;
	caller.set(register_pc, callee.value[register_lr]);
	caller.known &= ~(std::uint64_t{1} << register_lr);
	caller.exact = false;
	return true;
}

// The first entry of a PLT writes t1 first, so it does not look like these.
bool
forwards(memory &words, std::uintptr_t pc) noexcept
{
	std::uint32_t code[3];
	for (std::uintptr_t back = 0; back < stub_size - sizeof code[0];
	    back += sizeof code[0])
		if (words.read(pc - back, code, sizeof code) && is_stub(code))
			return true;
	return false;
}

std::uintptr_t
called_function(memory &words, std::uintptr_t address) noexcept
{
	std::uint32_t code[3];
	std::uintptr_t at = 0;
	if (address % 2 != 0 || !words.read(address - 8, code, 8))
		return 0;
	if ((code[1] & 0xfff) == 0x0ef)		// jal ra
		at = address - 4 + static_cast<std::uintptr_t>(jump(code[1]));
	else if ((code[0] & 0xfff) == 0x097 &&	// auipc ra; jalr ra, ra
	    (code[1] & 0xfffff) == 0x080e7)
		at = page_of(address - 8, code[0]) +
		    static_cast<std::uintptr_t>(upper(code[1], 20));
	if (at == 0 || !words.read(at, code, sizeof code) || !is_stub(code))
		return at;
	return in_slot(words, at, code);
}

} // namespace stack9::unwind
