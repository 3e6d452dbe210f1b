// Tests captures where a program's own assembly has pushed a word and its
// unwind information does not say so, as compilers leave it for pushf in asm.
//
// SPDX-License-Identifier: BSD-2-Clause
#ifdef __x86_64__
#include <boost/test/unit_test.hpp>

#include <algorithm>

#include <signal.h>

#include "core/seam/record.h"
#include "robust_child.h"
#include "robust_truth.h"

// The word below the return address is the caller's rbx.
asm(R"(
	.pushsection .text
	.globl	push_untold, before_push, behind_push, behind_pop
push_untold:
	.cfi_startproc
	push	%rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbx, 0
	mov	%rdi, %rbx
	call	push_untold_within
	pop	%rbx
	.cfi_adjust_cfa_offset -8
	.cfi_restore %rbx
	ret
	.cfi_endproc
push_untold_within:
	.cfi_startproc
	push	%rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbx, 0
	int3
before_push:
	pushfq
	int3
behind_push:
	popfq
	int3
behind_pop:
	pop	%rbx
	.cfi_adjust_cfa_offset -8
	.cfi_restore %rbx
	ret
	.cfi_endproc
	.popsection
)");
extern "C" void push_untold(std::uintptr_t rbx);
extern "C" const char before_push[], behind_push[], behind_pop[];

BOOST_AUTO_TEST_SUITE(words_that_nobody_told_of)

namespace {

frames found, outside;
int traps;

bool
has(const frames &f, const char *at)
{
	return std::find(f.pcs, f.pcs + f.depth,
	    reinterpret_cast<std::uintptr_t>(at)) != f.pcs + f.depth;
}

// Returns true if all of the stack that the caller of push_untold() has is
// there, except its innermost frame.
bool
has_callers(const frames &f)
{
	return f.depth >= outside.depth && std::equal(outside.pcs + 1,
	    outside.pcs + outside.depth, f.pcs + f.depth - outside.depth + 1);
}

void
on_trap(int)
{
	stack9::stack_record rec;
	const char *const all[] = {before_push, behind_push, behind_pop};
	OUR_FRAMES(found, rec);
	must(rec.error == 0 && traps < 3, "the handler has captured");
	must(has(found, all[traps]), "where it was is there");
	if (traps != 1)
		must(rec.why == STACK9_WHY_NONE && has_callers(found),
		    "it is whole where all is told");
	else if (rec.why == STACK9_WHY_NONE)
		must(has_callers(found), "it is not called complete, or it is");
	traps++;
}

// rbx: what is taken for the return address.
[[gnu::noinline]] void
push(std::uintptr_t rbx)
{
	stack9::stack_record rec;
	struct sigaction act{};
	act.sa_handler = on_trap;
	must(sigaction(SIGTRAP, &act, nullptr) == 0, "a handler is installed");
	OUR_FRAMES(outside, rec);
	push_untold(rbx);
	must(traps == 3, "each place was captured");
}

} // namespace

BOOST_AUTO_TEST_CASE(are_no_reason_to_call_a_stack_complete)
{
	const std::uintptr_t all[] = {0, 1,
	    reinterpret_cast<std::uintptr_t>(&all),
	    reinterpret_cast<std::uintptr_t>(behind_pop),
	    reinterpret_cast<std::uintptr_t>(&push),
	    reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))};
	for (const std::uintptr_t rbx : all)
		BOOST_TEST(in_child([rbx] { push(rbx); }) == "");
}

BOOST_AUTO_TEST_SUITE_END()
#endif
