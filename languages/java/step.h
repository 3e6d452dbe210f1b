// Leaves frames on a stack of the machine: frames of Java and of its stubs by
// what the machine notes, others by their unwind information.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "languages/runtime.h"
#include "unwind/outcome.h"
#include "unwind/passing.h"
#include "unwind/registers.h"

#include "code_cache.h"
#include "layout.h"

namespace stack9::languages::java {

class stepper {
public:
	// thread: its JavaThread; 0: it has none.
	stepper(const question &q, const layout &l, code_cache &code,
	    std::uint64_t thread) noexcept
	    : q_(q), m_(q.words), l_(l), code_(code), thread_(thread),
	      passing_(q.code, q.words) {}

	// Changes the registers from those of a frame to those of its caller.
	// b: the blob of its pc; NULL: it is not in the machine's code.  Throws
	// std::bad_alloc.
	unwind::outcome step(const blob *b, unwind::registers &now);

	// True if a frame was left by a guess.
	bool
	guessed() const noexcept
	{
		return guessed_ || passing_.guessed();
	}
	// True if the last step has left out frames that the machine keeps in
	// its heap.
	bool left_out() const noexcept { return left_out_; }

private:
	using registers = unwind::registers;
	using outcome = unwind::outcome;

	outcome step_native(registers &);
	outcome step_anchor(registers &);
	outcome step_java(const blob &, registers &);
	outcome leave_entry(registers &);
	outcome leave_interpreted(registers &);
	outcome leave_sized(const blob &, registers &);
	outcome leave_by_fp(registers &);
	outcome leave_interrupted(const blob &, registers &);
	outcome leave_return(std::uint64_t sp, bool has_fp, registers &);
	bool is_epilogue(std::uint64_t pc, bool &pops);
	bool is_interpreted(const registers &);
	bool enter(std::uint64_t pc, std::uint64_t sp, std::uint64_t fp,
	    registers &);
	bool is_code(std::uint64_t pc);
	bool leave_out(registers &);

	const question		&q_;
	unwind::memory		&m_;
	const layout		&l_;
	code_cache		&code_;
	const std::uint64_t	thread_;
	unwind::passing		passing_;
	// Where the anchor of the frames is that are next outwards; 0: it is in
	// the thread.
	std::uint64_t		anchor_ = 0;
	bool			guessed_ = false, left_out_ = false;
};

// Offsets from the frame pointer of an interpreted frame on x86-64
// (frame_x86.hpp): the method, the bytecode in JDK 8 and later, the stack
// pointer of the caller.
inline constexpr std::uint64_t interpreted_method = 24,
    interpreted_bytecode_8 = 56, interpreted_bytecode = 64,
    interpreted_sender = 8;
// DWARF's numbers of rbx, of r12 to r15 and of the one that has the bytecode.
inline constexpr int register_rbx = 3, register_r12 = 12, register_bcp = 13;

} // namespace stack9::languages::java
