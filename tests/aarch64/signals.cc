// Tests walks across signals: on this stack, on another, and where a function
// keeps its return address in x30.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdlib>

#include <pthread.h>
#include <signal.h>
#include <ucontext.h>

#include "check.h"

// Functions that are interrupted at each of their steps, by an instruction
// that is none (udf #0).
extern "C" {
void plain_leaf();
void plain_frame();
void signed_frame();
void frame_without_x29();
void large_frame();
}

asm(R"(
	.text
	.macro	begin name
	.p2align 2
	.type	\name, %function
	.globl	\name
\name:	.cfi_startproc
	.endm
	.macro	done name
	.cfi_endproc
	.size	\name, . - \name
	.endm
	.macro	stop
	.inst	0
	.endm

	begin	plain_leaf
	stop
	sub	sp, sp, #48
	.cfi_def_cfa_offset 48
	stop
	add	sp, sp, #48
	.cfi_def_cfa_offset 0
	stop
	ret
	done	plain_leaf

	begin	plain_frame
	stop
	stp	x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 29, -32
	.cfi_offset 30, -24
	stop
	mov	x29, sp
	stop
	bl	plain_leaf
	stop
	ldp	x29, x30, [sp], #32
	.cfi_restore 30
	.cfi_restore 29
	.cfi_def_cfa_offset 0
	stop
	ret
	done	plain_frame

	begin	signed_frame
	stop
	hint	#25				// paciasp
	.cfi_negate_ra_state
	stop
	stp	x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 29, -32
	.cfi_offset 30, -24
	mov	x29, sp
	stop
	bl	plain_frame
	ldp	x29, x30, [sp], #32
	.cfi_restore 30
	.cfi_restore 29
	.cfi_def_cfa_offset 0
	stop
	hint	#29				// autiasp
	.cfi_negate_ra_state
	stop
	ret
	done	signed_frame

	begin	frame_without_x29
	str	x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset 30, -16
	stop
	bl	signed_frame
	stop
	ldr	x30, [sp], #16
	.cfi_restore 30
	.cfi_def_cfa_offset 0
	stop
	ret
	done	frame_without_x29

	begin	large_frame
	stp	x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 29, -32
	.cfi_offset 30, -24
	mov	x29, sp
	.cfi_def_cfa 29, 32
	stop
	sub	sp, sp, #40, lsl #12
	stop
	bl	frame_without_x29
	stop
	add	sp, sp, #40, lsl #12
	.cfi_def_cfa 31, 32
	stop
	ldp	x29, x30, [sp], #32
	.cfi_restore 30
	.cfi_restore 29
	.cfi_def_cfa_offset 0
	ret
	done	large_frame
)");

namespace {

int interruptions;

void
on_stop(int, siginfo_t *, void *context)
{
	auto &uc = *static_cast<ucontext_t *>(context);
	interruptions++;
	must_agree_interrupted("interrupted", uc);
	uc.uc_mcontext.pc += 4;
}

// A handler that is interrupted in turn.
void
on_signal(int, siginfo_t *, void *)
{
	must_agree("in a handler", 3);
	plain_frame();
	must_agree("in a handler, later");
}

class handler {
public:
	handler(int number, void (*call)(int, siginfo_t *, void *), int flags)
	    : number_(number)
	{
		struct sigaction now{};
		now.sa_sigaction = call;
		now.sa_flags = SA_SIGINFO | flags;
		sigaction(number, &now, &before_);
	}
	~handler() { sigaction(number_, &before_, nullptr); }
	handler(const handler &) = delete;

private:
	const int	 number_;
	struct sigaction before_;
};

// A stack for signals, of this thread's.
class signal_stack {
public:
	signal_stack() : memory_(static_cast<char *>(std::malloc(size)))
	{
		stack_t s{};
		s.ss_sp = memory_;
		s.ss_size = size;
		sigaltstack(&s, &before_);
	}
	~signal_stack()
	{
		sigaltstack(&before_, nullptr);
		std::free(memory_);
	}
	signal_stack(const signal_stack &) = delete;

private:
	static constexpr std::size_t size = 256 << 10;
	char	*memory_;
	stack_t	 before_;
};

void
interrupt_all()
{
	for (void (*const f)() : {plain_leaf, plain_frame, signed_frame,
	    frame_without_x29, large_frame})
		f();
}

void
be_interrupted()
{
	const handler h(SIGILL, on_stop, 0);
	interruptions = 0;
	through_frames(3, interrupt_all);
	through_frames(17, interrupt_all);
	must(interruptions == 2 * (3 + 8 + 13 + 16 + 20), "each stop came");
}

void
raise_one()
{
	raise(SIGUSR1);
	keep(nullptr);
}

void
take_signals(int flags)
{
	const handler stop(SIGILL, on_stop, 0);
	const handler h(SIGUSR1, on_signal, flags);
	for (const int depth : {0, 30, 31, 4})
		through_frames(depth, raise_one);
}

void *
in_thread(void *run)
{
	reinterpret_cast<void (*)()>(run)();
	return nullptr;
}

void
run_in_thread(void (*run)())
{
	pthread_t t;
	pthread_create(&t, nullptr, in_thread, reinterpret_cast<void *>(run));
	pthread_join(t, nullptr);
}

void
compare()
{
	must_agree("in a thread", 2);
}

} // namespace

SCENARIO(threads, "walk_own() finds all of another thread's stack")
{
	for (int i = 0; i < 3; i++)
		run_in_thread([] { through_frames(60, compare); });
}

SCENARIO(handlers, "a walk crosses a signal frame")
{
	take_signals(0);
	run_in_thread([] { take_signals(0); });
}

SCENARIO(alternate, "a walk crosses from an alternate stack to the thread's")
{
	const auto all = [] {
		const signal_stack s;
		take_signals(SA_ONSTACK);
	};
	all();
	run_in_thread(all);
}

SCENARIO(leaf, "a function is interrupted wherever it keeps its return address")
{
	be_interrupted();
	run_in_thread(be_interrupted);
}
