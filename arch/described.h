// Includes the descriptions of CPUs: what the walk of a stack has to know of
// the CPU that its program ran on, wherever the walk is made.
//
// A description has
//	word, registers		the latter by DWARF numbers
//	machine, is_64		of ELF files
//	kept			the registers that a callee preserves
//	red_zone		bytes in use below sp
//	calls_push		the return address; otherwise it is in lr
//	pair_ends_frame		the saved frame pointer and the return address
//				are the last words of their frame
//	core_bytes, core_order	the registers in a core: their size, and the
//				index of the word of each
//	trampoline, signal_slot	what a signal's handler returns to where no
//				unwind information says so, and the place of a
//				register from sp there; an empty one: none
//	strip()			a return address without its signature
//	behind_call(), begins_stack()	as those of unwind/call.h
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "arch/aarch64/described.h"
#include "arch/ia32/described.h"
#include "arch/x86_64/described.h"

namespace stack9::arch {

// Calls f with the description of a machine of ELF; false: there is none.
template <class F>
bool
with_described(int machine, F f)
{
	switch (machine) {
	case EM_386:
		return f(ia32()), true;
	case EM_X86_64:
		return f(x86_64()), true;
	case EM_AARCH64:
		return f(aarch64()), true;
	default:
		return false;
	}
}

} // namespace stack9::arch
