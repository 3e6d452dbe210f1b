// Recognises calls by the bytes of their instructions.  Where nothing describes
// a frame, a word is taken for a return address only if there is a call before
// the place it points to.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "memory.h"
#include "registers.h"

namespace stack9::unwind {

// Returns true if there is a call just before the address.
bool behind_call(memory &, std::uintptr_t address) noexcept;

// Gives the address of the system call instruction just before the address; 0:
// there is none.
std::uintptr_t system_call_before(memory &, std::uintptr_t address) noexcept;

// Returns true if code that a program or a thread begins in has made the call
// just before the address.  Such code clears the frame pointer, or ends the
// thread when the call returns.
bool begins_stack(memory &, std::uintptr_t address) noexcept;

// Returns true if the code at the address, a function's first instruction,
// takes its stack pointer from a register that calls keep.  No call has led
// there: glibc's makecontext(3) leaves its address as a return address.
bool takes_stack(memory &, std::uintptr_t address) noexcept;

// Finds the registers as they were before the call that led to pc, provided
// that nothing has been executed since but a linker's stub.
bool before_call(memory &, const registers &, registers &caller) noexcept;

// Returns true if the code at pc is a linker's stub.  A stub only jumps
// elsewhere, and may push what the loader needs.  before_call() then finds the
// return address.
bool forwards(memory &, std::uintptr_t pc) noexcept;

// Gives the first instruction of the function that the call just before the
// address has called, through a linker's stub perhaps, whose slot is read now.
// 0: there is no such call, or it depends upon registers.
std::uintptr_t called_function(memory &, std::uintptr_t address) noexcept;

} // namespace stack9::unwind
