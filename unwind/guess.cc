// Guesses a frame's caller by the frame pointer, or by undoing a call.
//
// In code that was built without a frame pointer the register may hold any
// value.  So the pair of words that it points to has to look like a frame's:
// aligned, outside of the frame, and with an address after a call in it.  The
// frame's own pc has to be after a call, too, since an overwritten stack may
// have led to it.  If the call itself was wrong, through NULL or a wild
// pointer, or has come no further than to a linker's stub, there is no frame
// yet; its return address is where the call has just left it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "guess.h"

#include "call.h"

namespace stack9::unwind {
namespace {

bool
can_be_read(memory &words, std::uintptr_t pc) noexcept
{
	std::uint8_t byte;
	return words.read(pc, &byte, sizeof byte);
}

guess
follow_fp(memory &words, const registers &now, registers &caller) noexcept
{
	return read_pair(words, now, caller) &&
	    behind_call(words, caller.pc()) ? guess::by_fp : guess::none;
}

} // namespace

bool
read_pair(memory &words, const registers &now, registers &caller) noexcept
{
	constexpr std::size_t word = sizeof(std::uintptr_t);
	std::uintptr_t fp, pc;
	if (!now.knows(register_fp) || !now.knows(register_sp) ||
	    now.fp() < now.sp() || now.fp() % word != 0 ||
	    !words.word(now.fp(), fp) || !words.word(now.fp() + word, pc))
		return false;
	const std::uintptr_t cfa = now.fp() + 2 * word;
	caller = {};
	caller.set(register_pc, strip(pc));
	caller.set(register_sp, cfa);
	caller.set(register_fp, fp);
	return true;
}

guess
guess_registers(memory &words, const registers &now, bool covered,
    registers &caller) noexcept
{
	if (!now.exact)
		return behind_call(words, now.pc()) ?
		    follow_fp(words, now, caller) : guess::none;
	if ((covered || can_be_read(words, now.pc())) &&
	    !forwards(words, now.pc()))
		return follow_fp(words, now, caller);
	return before_call(words, now, caller) &&
	    behind_call(words, caller.pc()) ? guess::by_call : guess::none;
}

} // namespace stack9::unwind
