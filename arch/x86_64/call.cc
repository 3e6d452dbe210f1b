// Recognises the calls of x86-64: E8 rel32 and FF /2, the only ones that 64-bit
// code uses.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "unwind/call.h"

#include <algorithm>
#include <iterator>

#include "stub.h"

namespace stack9::unwind {
namespace {

constexpr std::size_t shortest = 2, relative = 5, longest = 7;
constexpr std::size_t page_min = 4096;

// Returns the length of FF /2 with its opcode; 0: it is another instruction.
std::size_t
indirect_length(const std::uint8_t *code, std::size_t size) noexcept
{
	if (code[0] != 0xff || (code[1] >> 3 & 7) != 2)
		return 0;
	const int mod = code[1] >> 6, rm = code[1] & 7;
	const bool sib = mod != 3 && rm == 4;
	const bool no_base = rm == 5 ||
	    (sib && size > 2 && (code[2] & 7) == 5);
	return std::size_t{2} + sib + (mod == 1 ? 1 :
	    mod == 2 || (mod == 0 && no_base) ? 4 : 0);
}

// Gives the address that an instruction names relative to its end; 0.
std::uintptr_t
relative_to(memory &words, std::uintptr_t end) noexcept
{
	std::int32_t distance;
	return words.read(end - sizeof distance, &distance, sizeof distance) ?
	    end + static_cast<std::uintptr_t>(std::intptr_t{distance}) : 0;
}

std::uintptr_t
in_slot(memory &words, std::uintptr_t end) noexcept
{
	const std::uintptr_t at = relative_to(words, end);
	std::uintptr_t value = 0;
	return at != 0 && words.word(at, value) ? value : 0;
}

} // namespace

bool
behind_call(memory &words, std::uintptr_t address) noexcept
{
	std::uint8_t code[longest];
	std::size_t size = longest;
	if (!words.read(address - size, code, size)) {
		size = std::min(longest, address % page_min);
		if (size < shortest || !words.read(address - size, code, size))
			return false;
	}
	if (size >= relative && code[size - relative] == 0xe8)
		return true;
	for (std::size_t n = shortest; n <= size; n++)
		if (indirect_length(code + size - n, n) == n)
			return true;
	return false;
}

// The instructions are xor %ebp,%ebp and its other encodings: a prefix makes it
// xor %rbp,%rbp.  musl's _start has the most bytes after it, 22 with the call.
bool
begins_stack(memory &words, std::uintptr_t address) noexcept
{
	std::uint8_t code[24];
	if (!words.read(address - sizeof code, code, sizeof code))
		return false;
	for (std::size_t n = 0; n + 1 < sizeof code; n++)
		if ((code[n] == 0x31 || code[n] == 0x33) &&
		    code[n + 1] == 0xed)
			return true;
	return false;
}

// glibc's __start_context has mov %rbx,%rsp.
bool
takes_stack(memory &words, std::uintptr_t address) noexcept
{
	constexpr std::uint8_t mov_rbx_rsp[] = {0x48, 0x89, 0xdc};
	std::uint8_t code[sizeof mov_rbx_rsp];
	return words.read(address, code, sizeof code) &&
	    std::equal(code, code + sizeof code, mov_rbx_rsp);
}

std::uintptr_t
system_call_before(memory &words, std::uintptr_t address) noexcept
{
	constexpr std::uint8_t syscall[] = {0x0f, 0x05};
	std::uint8_t code[sizeof syscall];
	const std::uintptr_t at = address - sizeof code;
	return words.read(at, code, sizeof code) &&
	    std::equal(code, code + sizeof code, syscall) ? at : 0;
}

bool
before_call(memory &words, const registers &callee, registers &caller) noexcept
{
	std::uintptr_t pc;
	if (!callee.knows(register_sp))
		return false;
	const std::uintptr_t at = callee.sp() + word_size *
	    static_cast<std::uintptr_t>(std::max(pushed_by_stub(words,
	    callee.pc()), 0));
	if (!words.word(at, pc))
		return false;
	caller = callee;
	caller.set(register_sp, at + sizeof pc);
	caller.set(register_pc, pc);
	caller.exact = false;
	return true;
}

bool
forwards(memory &words, std::uintptr_t pc) noexcept
{
	return pushed_by_stub(words, pc) >= 0;
}

std::uintptr_t
called_function(memory &words, std::uintptr_t address) noexcept
{
	constexpr std::uint8_t call_slot[] = {0xff, 0x15};	// slot(%rip)
	std::uint8_t code[sizeof call_slot + sizeof(std::int32_t)];
	if (!words.read(address - sizeof code, code, sizeof code))
		return 0;
	if (std::equal(call_slot, std::end(call_slot), code))
		return in_slot(words, address);
	if (code[sizeof code - relative] != 0xe8)
		return 0;
	const std::uintptr_t at = relative_to(words, address);
	const std::uintptr_t jump = behind_jump(words, at);
	return jump != 0 ? in_slot(words, jump) : at;
}

} // namespace stack9::unwind
