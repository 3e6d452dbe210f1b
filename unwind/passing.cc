// Passes frames without unwind information in five ways.
//
// A function of the C library that makes a thread ends its unwind information
// before its system call, because what it says is not true of the new thread.
// The instruction does not move the stack pointer, so it is still true of the
// thread that called.
//
// Code that a program has made while it ran need not have a call before a
// return address: an interpreter returns to an entry that lies after the jump
// of another bytecode (HotSpot).  So the frame pointers are followed first, up
// to code that has unwind information and a call before the address.  If they
// lead there they are trusted.  It is a guess all the same, because JIT code
// may keep another value in the register, and frames in which it does are not
// seen.  Compiled code that begins as HotSpot's does has a frame of known size,
// and its frame pointer is not needed.
//
// The instructions up to the return of other code are followed: those of C that
// Go's linker has put into a program, and those of musl.
//
// Any other frame is guessed one at a time.
//
// A thread that sleeps may show its stack pointer alone (/proc/TID/syscall).
// The first instructions of a function show how far from there its frame
// pointer is.  It is a guess, because the function may have moved its stack
// pointer since.  So there has to be a call before the return address that is
// found.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "passing.h"

#include "call.h"
#include "counts.h"
#include "full.h"
#include "guess.h"
#include "leave_frame.h"
#include "prologue.h"

namespace stack9::unwind {
namespace {

// Finds rows of the program, for place_sp_of() and guess_caller().
auto
rows_of(code &program) noexcept
{
	return [&program](std::uintptr_t lookup, row &to) noexcept {
		return program.row_of(lookup, to);
	};
}

} // namespace

// Returns true if a frame's pc is after a call in a function that has unwind
// information.  A call before a function's beginning is the end of another
// function, and never returns.
bool
passing::is_called(const registers &at) noexcept
{
	row r;
	return behind_call(words_, at.pc()) && program_.covers(at.pc()) &&
	    program_.row_of(at.lookup(), r) == found::yes && r.end > at.pc();
}

// The new thread gets 0 from the system call, and has no caller.
outcome
passing::leave_system_call(registers &now) noexcept
{
	const std::uintptr_t call = now.exact ?
	    system_call_before(words_, now.pc()) : 0;
	row r;
	if (call == 0 || program_.row_of(call - 1, r) != found::yes ||
	    r.end != call)
		return outcome::no_info;
	if (now.knows(register_result) && now.value[register_result] == 0)
		return outcome::end;
	registers caller = now;
	if (full_step(r, words_, caller) != outcome::stepped ||
	    !is_called(caller))
		return outcome::no_info;
	now = caller;
	return outcome::stepped;
}

// The entry of a linker's table has its return address where the call left it,
// so it is passed without the frame pointer.
bool
passing::is_made(const registers &at) noexcept
{
	return program_.is_made(at.lookup()) &&
	    !(at.exact && forwards(words_, at.pc()));
}

// Returns true if a return address can be one: in JIT code, or after a call.
bool
passing::leads_on(const registers &at) noexcept
{
	return program_.is_made(at.lookup()) || is_called(at);
}

// An interpreter moves the stack pointer to put arguments in the right place,
// and notes below the frame pointer where it was (HotSpot).
passing::lead
passing::leave_by_fp(registers &at) noexcept
{
	constexpr std::uintptr_t word = sizeof(std::uintptr_t), most = 4096;
	const std::uintptr_t fp = at.fp();
	if (!at.knows(register_fp) || !at.knows(register_sp) ||
	    fp < at.sp() || fp % word != 0 ||
	    !program_.is_one_stack(at.sp(), fp))
		return lead::nowhere;
	if (!read_pair(words_, at, at))
		return lead::unread;
	if (!place_sp_of(words_, at, rows_of(program_)))
		return lead::nowhere;
	std::uintptr_t noted;
	noted_sp_ = words_.word(fp - word, noted) && noted > at.sp() &&
	    noted - at.sp() < most ? noted : 0;
	return lead::out;
}

// Compiled code is left by the instructions that it begins with.  They say more
// than a frame pointer that it need not keep.
passing::lead
passing::leave_made(registers &at) noexcept
{
	registers from = at, caller;
	for (const std::uintptr_t sp : {at.sp(), noted_sp_}) {
		from.set(register_sp, sp);
		if (sp != 0 && leave_compiled(words_, from, caller) &&
		    leads_on(caller)) {
			at = caller;
			noted_sp_ = 0;
			return lead::out;
		}
	}
	return leave_by_fp(at);
}

bool
passing::is_described(const registers &at) noexcept
{
	return program_.rule_of(at.lookup()).kind() != kind::absent;
}

passing::lead
passing::leave(registers &at) noexcept
{
	if (program_.is_made(at.lookup()))
		return leave_made(at);
	noted_sp_ = 0;
	registers caller;
	if (!(at.exact ? system_call_before(words_, at.pc()) != 0 :
	    behind_call(words_, at.pc())) || !program_.covers(at.pc()) ||
	    (!leave_returning(words_, at, caller) &&
	    !leave_by_code(words_, at, caller)))
		return lead::nowhere;
	at = caller;
	return lead::out;
}

// Each frame of a recursion that leads nowhere looks at all that are above it,
// so the frames that were looked at in vain are counted over the whole walk.
passing::lead
passing::find_lead(const registers &from) noexcept
{
	if (from.knows(register_sp) && from.sp() < led_)
		return lead::out;
	if (lost_frames_ >= most_lost_frames)
		return lead::nowhere;
	const std::uintptr_t noted = noted_sp_;
	registers at = from;
	lead way;
	std::uint32_t frames = 0;
	do {
		way = leave(at);
		frames += way == lead::out;
	} while (way == lead::out && !is_described(at));
	noted_sp_ = noted;
	if (way != lead::out || !is_called(at)) {
		lost_frames_ += frames;
		return way == lead::unread ? way : lead::nowhere;
	}
	led_ = at.sp();
	return lead::out;
}

// Made code that does nothing more but remove its frame and return shows its
// caller by that.  This is not a guess (CPython's perf trampolines).
outcome
passing::leave_straight(registers &now) noexcept
{
	registers caller;
	if (now.exact || !program_.is_made(now.lookup()) ||
	    !behind_call(words_, now.pc()) ||
	    !leave_returning(words_, now, caller) || !leads_on(caller))
		return outcome::no_info;
	noted_sp_ = 0;
	now = caller;
	return outcome::stepped;
}

outcome
passing::pass(registers &now) noexcept
{
	outcome sure = leave_system_call(now);
	if (sure == outcome::no_info)
		sure = leave_straight(now);
	if (sure != outcome::no_info)
		return sure;
	const lead way = !now.exact || is_made(now) ||
	    system_call_before(words_, now.pc()) != 0 ? find_lead(now) :
	    lead::nowhere;
	if (way == lead::out) {
		leave(now);
	} else {
		noted_sp_ = 0;
		if (!guess_caller(words_, now, program_.covers(now.pc()),
		    rows_of(program_)))
			return way == lead::unread ? outcome::no_memory :
			    outcome::no_info;
	}
	guessed_ = true;
	count(counter::guesses);
	return outcome::stepped;
}

bool
passing::leave_with_fp(const row &r, std::uintptr_t fp, registers &now) noexcept
{
	registers caller = now;
	caller.set(register_fp, fp);
	if (full_step(r, words_, caller) != outcome::stepped ||
	    !is_called(caller))
		return false;
	now = caller;
	return true;
}

outcome
passing::pass_without_fp(registers &now) noexcept
{
	row r;
	std::uintptr_t fp;
	// The pc of a frame that has called nobody may be among the first
	// instructions.
	if (now.exact || now.knows(register_fp) || !now.knows(register_sp) ||
	    program_.row_of(now.lookup(), r) != found::yes ||
	    r.cfa_register != register_fp ||
	    !fp_by_prologue(words_, r.begin, now.lookup(), now.sp(), fp))
		return outcome::no_register;
	const std::size_t arguments = bytes_of_arguments(words_, now.pc());
	if (!leave_with_fp(r, fp, now) && (arguments == 0 ||
	    !leave_with_fp(r, fp + arguments, now)))
		return outcome::no_register;
	guessed_ = true;
	count(counter::guesses);
	return outcome::stepped;
}

} // namespace stack9::unwind
