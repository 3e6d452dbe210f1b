// Leaves frames by the layouts of HotSpot on x86-64 (frame_x86.hpp,
// stubGenerator_x86_64.cpp, c1_LIRAssembler_x86.cpp, x86_64.ad).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "step.h"

#include "unwind/call.h"
#include "unwind/full.h"

#include "compiled.h"
#include "method.h"
#include "threads.h"

namespace stack9::languages::java {
namespace {

using unwind::register_fp, unwind::register_pc, unwind::register_sp;

constexpr std::uint64_t word = 8;
// The most that one frame takes, and that an adapter pushes.
constexpr std::uint64_t most_bytes = 1 << 20;
// The frame of the call stub: the callee-saved registers and the wrapper.
constexpr std::uint64_t entry_wrapper = 6 * word, entry_rbx = 7 * word,
    entry_r12 = 8 * word;

} // namespace

bool
stepper::is_code(std::uint64_t pc)
{
	return code_.covers(pc) ? code_.find(pc) != nullptr :
	    q_.code.covers(pc) && unwind::behind_call(m_, pc);
}

// A caller is outwards, and its address is one of code.
bool
stepper::enter(std::uint64_t pc, std::uint64_t sp, std::uint64_t fp,
    registers &now)
{
	if (sp % word != 0 || sp <= now.sp() || sp - now.sp() > most_bytes ||
	    !is_code(pc))
		return false;
	registers caller;
	caller.set(register_pc, pc);
	caller.set(register_sp, sp);
	caller.set(register_fp, fp);
	now = caller;
	return true;
}

// The machine's C++ has unwind information.  Where that ends too early, or a
// register is not known, the anchor leads on.
unwind::outcome
stepper::step_native(registers &now)
{
	unwind::row r;
	const registers before = now;
	const unwind::found there = q_.code.row_of(now.lookup(), r);
	outcome how = there == unwind::found::yes ?
	    unwind::full_step(r, m_, now) :
	    there == unwind::found::no ? outcome::no_info :
	    outcome::malformed;
	if (how == outcome::stepped || how == outcome::end)
		return how;
	now = before;
	if (step_anchor(now) == outcome::stepped)
		return outcome::stepped;
	return passing_.or_pass(how, now);
}

unwind::outcome
stepper::step_anchor(registers &now)
{
	std::uint64_t at = anchor_;
	anchor a;
	if (at == 0 && l_.anchor != none && thread_ != 0)
		at = thread_ + l_.anchor;
	if (at == 0 || !read_anchor(m_, l_, at, a) || !code_.covers(a.pc) ||
	    a.sp % word != 0 || !now.knows(register_sp) || a.sp <= now.sp() ||
	    a.sp - now.sp() > most_bytes)
		return outcome::no_info;
	registers java;
	java.set(register_pc, a.pc);
	java.set(register_sp, a.sp);
	if (a.fp != 0)
		java.set(register_fp, a.fp);
	now = java;
	return outcome::stepped;
}

// The call stub, by which C++ calls Java, has saved its caller's registers.
unwind::outcome
stepper::leave_entry(registers &now)
{
	const std::uint64_t fp = now.fp();
	std::uint64_t caller_fp, pc, wrapper;
	if (!now.knows(register_fp))
		return outcome::no_register;
	if (!m_.word(fp, caller_fp) || !m_.word(fp + word, pc))
		return outcome::no_memory;
	std::uint64_t saved[5];
	for (std::uint64_t n = 0; n < 5; n++)
		if (!m_.word(n == 0 ? fp - entry_rbx :
		    fp - entry_r12 - (n - 1) * word, saved[n]))
			return outcome::no_memory;
	if (!m_.word(fp - entry_wrapper, wrapper))
		return outcome::no_memory;
	if (!enter(pc, fp + 2 * word, caller_fp, now))
		return outcome::malformed;
	now.set(register_rbx, saved[0]);
	for (int n = 1; n < 5; n++)
		now.set(register_r12 + n - 1, saved[n]);
	anchor_ = l_.wrapper_anchor != none ? wrapper + l_.wrapper_anchor : 0;
	return outcome::stepped;
}

// The caller's stack pointer is noted, because an adapter may have moved it to
// put the arguments elsewhere.
unwind::outcome
stepper::leave_interpreted(registers &now)
{
	const std::uint64_t fp = now.fp();
	std::uint64_t caller_fp, pc, sp;
	if (!now.knows(register_fp))
		return outcome::no_register;
	if (!m_.word(fp, caller_fp) || !m_.word(fp + word, pc) ||
	    !m_.word(fp - interpreted_sender, sp))
		return outcome::no_memory;
	if (sp < fp + 2 * word || sp - fp > most_bytes)
		sp = fp + 2 * word;
	return enter(pc, sp, caller_fp, now) ? outcome::stepped :
	    outcome::malformed;
}

unwind::outcome
stepper::leave_return(std::uint64_t sp, bool has_fp, registers &now)
{
	std::uint64_t pc, fp = now.fp();
	if (has_fp && !m_.word(sp - word, fp))
		return outcome::no_memory;
	if (!m_.word(sp, pc))
		return outcome::no_memory;
	return enter(pc, sp + word, fp, now) ? outcome::stepped :
	    outcome::malformed;
}

// A frame of known size ends with the frame pointer and the return address.
unwind::outcome
stepper::leave_sized(const blob &b, registers &now)
{
	return b.frame_size < 2 * word ? outcome::no_info :
	    leave_return(now.sp() + b.frame_size - word, true, now);
}

unwind::outcome
stepper::leave_by_fp(registers &now)
{
	if (!now.knows(register_fp) || now.fp() < now.sp() ||
	    now.fp() - now.sp() > most_bytes)
		return outcome::no_info;
	guessed_ = true;
	return leave_return(now.fp() + word, true, now);
}

// Returns true if the frame of compiled code is gone, or all but the frame
// pointer: the code returns, perhaps after a poll of the safepoint.
bool
stepper::is_epilogue(std::uint64_t pc, bool &pops)
{
	std::uint8_t code[16];
	pops = false;
	if (!m_.read(pc, code, sizeof code))
		return false;
	if (code[0] == 0x5d) {			// pop %rbp
		pops = true;
		return true;
	}
	std::size_t n = 0;
	if (code[0] == 0x49 && code[1] == 0x3b)	// cmp poll(%r15),%rsp
		n = code[2] == 0x67 ? 4 : code[2] == 0xa7 ? 7 : 0;
	else if (code[0] == 0x41 && code[1] == 0x85 && code[2] == 0x02)
		n = 3;				// test %eax,(%r10)
	else if (code[0] == 0x85 && code[1] == 0x05)
		n = 6;				// test %eax,poll(%rip)
	if (n != 0 && code[n] == 0x0f && code[n + 1] == 0x87)
		n += 6;				// ja
	else if (code[n] == 0x0f && code[n + 1] == 0x87)
		n = 6;
	return code[n] == 0xc3;			// ret
}

bool
stepper::is_interpreted(const registers &now)
{
	std::uint64_t at;
	method of;
	return now.knows(register_fp) && now.fp() > now.sp() &&
	    now.fp() - now.sp() < most_bytes &&
	    m_.word(now.fp() - interpreted_method, at) &&
	    read_method(m_, l_, at, of);
}

// A thread was interrupted anywhere in the code, so its frame may be half made
// or half gone.
unwind::outcome
stepper::leave_interrupted(const blob &b, registers &now)
{
	guessed_ = true;
	bool pops = false;
	if (b.what == blob::kind::interpreter) {
		if (is_interpreted(now) &&
		    leave_interpreted(now) == outcome::stepped)
			return outcome::stepped;
		return leave_return(now.sp(), false, now);
	}
	if (is_epilogue(now.pc(), pops))
		return leave_return(now.sp() + (pops ? word : 0), pops, now);
	if (b.frame_size != 0 && now.pc() >= b.complete &&
	    leave_sized(b, now) == outcome::stepped)
		return outcome::stepped;
	for (const bool has_fp : {false, true})
		if (leave_return(now.sp() + (has_fp ? word : 0), has_fp,
		    now) == outcome::stepped)
			return outcome::stepped;
	if (b.frame_size != 0 && leave_sized(b, now) == outcome::stepped)
		return outcome::stepped;
	return leave_by_fp(now);
}

// The outer frames of a virtual thread that is mounted may be in the heap.  A
// return address of the barrier stands for them, and the frames of its carrier
// go on after the entry of the continuation.  The thread has that entry noted.
bool
stepper::leave_out(registers &now)
{
	std::uint64_t entry, fp, pc;
	if (l_.continuation == none || l_.entry_return == 0 ||
	    l_.sizeof_continuation == none ||
	    thread_ == 0 ||
	    !m_.word(thread_ + l_.continuation, entry) || entry < now.sp() ||
	    !m_.word(entry + ((l_.sizeof_continuation + 15) & ~15u), fp) ||
	    !m_.word(l_.entry_return, pc) || !code_.covers(pc))
		return false;
	now.set(register_sp, entry - word);
	left_out_ = enter(pc, entry, fp, now);
	return left_out_;
}

unwind::outcome
stepper::step_java(const blob &b, registers &now)
{
	std::uint64_t entry_pc, barrier;
	if (!now.knows(register_sp))
		return outcome::no_register;
	if (m_.word(l_.call_stub_return, entry_pc) && now.pc() == entry_pc)
		return leave_entry(now);
	if (now.exact)
		return leave_interrupted(b, now);
	if (l_.return_barrier != 0 ? m_.word(l_.return_barrier, barrier) &&
	    barrier == now.pc() : b.what == blob::kind::other &&
	    b.frame_size == 0 && b.name.rfind("Stub", 0) == 0)
		if (leave_out(now))
			return outcome::stepped;
	if (b.what == blob::kind::interpreter)
		return leave_interpreted(now);
	return b.frame_size != 0 ? leave_sized(b, now) : leave_by_fp(now);
}

unwind::outcome
stepper::step(const blob *b, registers &now)
{
	const std::uint64_t sp = now.sp();
	const bool knew = now.knows(register_sp);
	left_out_ = false;
	const outcome how = b == nullptr ? step_native(now) :
	    step_java(*b, now);
	// The entry of a continuation is where the barrier's frame would be.
	return how == outcome::stepped && knew && b != nullptr &&
	    !left_out_ && now.sp() <= sp ? outcome::malformed : how;
}

} // namespace stack9::languages::java
