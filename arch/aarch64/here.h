// The registers that a function's callers rely on, here.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "unwind/registers.h"

namespace stack9::unwind {

[[gnu::always_inline]] inline void
take_registers(registers &r) noexcept
{
	std::array<std::uintptr_t, 12> x;	// x19 to x30
	std::uintptr_t sp, pc;
	// In one, so that they belong to one row.
	__asm__ volatile("stp x19, x20, [%3]; stp x21, x22, [%3, 16];"
	    "stp x23, x24, [%3, 32]; stp x25, x26, [%3, 48];"
	    "stp x27, x28, [%3, 64]; stp x29, x30, [%3, 80];"
	    "mov %0, sp; adr %1, ."
	    : "=&r"(sp), "=&r"(pc), "=m"(x) : "r"(x.data()));
	for (int i = 0; i < 12; i++)
		r.set(19 + i, x[static_cast<std::size_t>(i)]);
	r.set(register_sp, sp);
	r.set(register_pc, pc);
	r.exact = true;
}

} // namespace stack9::unwind
