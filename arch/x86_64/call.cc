// Recognises the calls of x86-64, and what they lead to.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "unwind/call.h"

#include <algorithm>
#include <iterator>

#include "described.h"
#include "stub.h"

namespace stack9::unwind {
namespace {

constexpr std::size_t relative = 5;	// bytes of E8 rel32

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
	return arch::x86_64::behind_call(words, address);
}

bool
begins_stack(memory &words, std::uintptr_t address) noexcept
{
	return arch::x86_64::begins_stack(words, address);
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
