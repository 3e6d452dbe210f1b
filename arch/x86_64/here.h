// The registers that a function's callers rely on, here.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "unwind/registers.h"

namespace stack9::unwind {

[[gnu::always_inline]] inline void
take_registers(registers &r) noexcept
{
	std::uintptr_t rbx, rbp, rsp, r12, r13, r14, r15, rip;
	__asm__ volatile("movq %%rbx, %0; movq %%rbp, %1"
	    : "=m"(rbx), "=m"(rbp));
	__asm__ volatile("movq %%r12, %0; movq %%r13, %1; movq %%r14, %2;"
	    "movq %%r15, %3" : "=m"(r12), "=m"(r13), "=m"(r14), "=m"(r15));
	__asm__ volatile("movq %%rsp, %0; leaq 0(%%rip), %1"
	    : "=&r"(rsp), "=r"(rip));
	r.set(3, rbx);
	r.set(register_fp, rbp);
	r.set(register_sp, rsp);
	r.set(12, r12);
	r.set(13, r13);
	r.set(14, r14);
	r.set(15, r15);
	r.set(register_pc, rip);
	r.exact = true;
}

} // namespace stack9::unwind
