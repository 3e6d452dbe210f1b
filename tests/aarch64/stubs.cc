// Tests walks where no unwind information covers the code: calls that led
// nowhere, and linkers' stubs.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstring>

#include <execinfo.h>
#include <signal.h>
#include <ucontext.h>

#include "check.h"

// An entry of a PLT as linkers write it, with and without what
// -z force-bti and -z pac-plt add; and the first of them all.
extern "C" {
extern const char stub_begin[], stub_end[];
extern const char first_stub_begin[], first_stub_end[];
void be_stopped();
}

asm(R"(
	.text
	.p2align 4
	.globl	stub_begin, stub_end, first_stub_begin, first_stub_end
	nop
stub_begin:
	hint	#34				// bti c
	adrp	x16, stub_begin
	ldr	x17, [x16, #24]
	add	x16, x16, #24
	hint	#12				// autia1716
	br	x17
stub_end:
	stp	x16, x30, [sp, #-16]!
first_stub_begin:
	adrp	x16, stub_begin
	ldr	x17, [x16, #32]
	add	x16, x16, #32
	br	x17
first_stub_end:
	nop

	.globl	be_stopped
	.type	be_stopped, %function
be_stopped:
	.cfi_startproc
	.inst	0
	ret
	.cfi_endproc
	.size	be_stopped, . - be_stopped
)");

namespace {

volatile std::uintptr_t went_to;
frames before;		// backtrace(3)'s, in the function that called

std::uint32_t
walk(const ucontext_t &uc, std::uintptr_t pc, frames &to)
{
	ucontext_t there = uc;
	there.uc_mcontext.pc = pc;
	to.depth = stack9::unwind::walk_interrupted(there, to.pcs,
	    frames_room).depth;
	return to.depth;
}

// The call that led to pc is the second frame; all is there further out.
void
must_see_past(const ucontext_t &uc, std::uintptr_t pc)
{
	static frames ours;
	must(walk(uc, pc, ours) > 8, "the walk goes on");
	must(ours.pcs[0] == pc, "the first frame is where it went");
	must(ours.pcs[1] == uc.uc_mcontext.regs[30], "the second called it");
	ours.depth -= 2;
	std::memmove(ours.pcs, ours.pcs + 2, ours.depth * sizeof ours.pcs[0]);
	must(must_continue("behind", ours, before) == 1, "nothing is lost");
}

void
on_fault(int, siginfo_t *, void *context)
{
	auto &uc = *static_cast<ucontext_t *>(context);
	must_see_past(uc, uc.uc_mcontext.pc);
	uc.uc_mcontext.pc = uc.uc_mcontext.regs[30];
}

// The stubs are not run: this is how they look at each of their instructions.
void
on_stop(int, siginfo_t *, void *context)
{
	auto &uc = *static_cast<ucontext_t *>(context);
	static frames ours;
	for (const char *at = stub_begin; at != stub_end; at += 4)
		must_see_past(uc, reinterpret_cast<std::uintptr_t>(at));
	for (const char *at = first_stub_begin; at != first_stub_end; at += 4)
		must(walk(uc, reinterpret_cast<std::uintptr_t>(at), ours) < 2 ||
		    ours.pcs[1] != uc.uc_mcontext.regs[30],
		    "behind the first entry sp is not the caller's");
	uc.uc_mcontext.pc += 4;
}

[[gnu::noinline]] void
call_it()
{
	before.depth = static_cast<std::uint32_t>(backtrace(
	    reinterpret_cast<void **>(before.pcs), frames_room));
	reinterpret_cast<void (*)()>(went_to)();
	keep(nullptr);
}

void
with_handler(int number, void (*call)(int, siginfo_t *, void *),
    std::uintptr_t to)
{
	struct sigaction now{}, was;
	now.sa_sigaction = call;
	now.sa_flags = SA_SIGINFO;
	sigaction(number, &now, &was);
	went_to = to;
	through_frames(9, call_it);
	sigaction(number, &was, nullptr);
}

} // namespace

SCENARIO(nowhere, "a call that led nowhere is seen past")
{
	for (const std::uintptr_t to : {0ul, 0x10000ul, 1ul << 45})
		with_handler(SIGSEGV, on_fault, to);
}

SCENARIO(stubs, "a walk out of a linker's stub does not lose the caller")
{
	with_handler(SIGILL, on_stop,
	    reinterpret_cast<std::uintptr_t>(be_stopped));
}
