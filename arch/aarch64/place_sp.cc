// Finds the stack pointer of a frame whose callee had to be left by its frame
// pointer.
//
// Compilers put the pair of a saved frame pointer and a return address at the
// bottom of its frame, so that it does not show where the frame ends.  The
// caller's row says how far its stack pointer is from its own pair, to which
// the frame pointer points.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "unwind/guess.h"
#include "unwind/prologue.h"
#include "unwind/rule_of_row.h"

namespace stack9::unwind {
namespace {

// Returns true if the kernel's frame of a signal is at sp: the frame pointer
// leads to a copy of two of its registers.
bool
is_signal_frame(memory &words, const registers &at) noexcept
{
	std::uintptr_t fp, lr, noted_fp, noted_lr;
	return words.word(at.fp(), fp) && words.word(at.fp() + 8, lr) &&
	    words.word(at.sp() + signal_slot(register_fp), noted_fp) &&
	    words.word(at.sp() + signal_slot(register_lr), noted_lr) &&
	    fp == noted_fp && lr == noted_lr;
}

} // namespace

// A function that has no pair of its own leaves the frame pointer of another
// one.  That shows nothing.
bool
place_sp(const row &r, memory &words, registers &caller) noexcept
{
	const place &address = place_of(r, r.return_column);
	const place &fp = place_of(r, register_fp);
	if (address.what == place::undefined || r.cfa_register == register_fp)
		return true;
	if (r.signal_frame)
		return is_signal_frame(words, caller);
	const std::uintptr_t sp = caller.fp() -
	    static_cast<std::uintptr_t>(fp.number + r.cfa_offset);
	if (r.cfa_register != register_sp || fp.what != place::offset ||
	    address.what != place::offset || address.number != fp.number + 8 ||
	    sp < caller.sp() || sp > caller.fp() ||
	    !sets_fp(words, r.begin, caller.lookup()))
		return false;
	caller.set(register_sp, sp);
	return true;
}

} // namespace stack9::unwind
